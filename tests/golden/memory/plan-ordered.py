# RUN: plan -p LegalizeOps,ResolveInplace,CallTIRRewrite,KillAfterLastUse,PlanMemory
# Sizes that are provably no more than others share bytes with them: those of n rows and of n + 1 (`longer`), of elements of
# four and of eight bytes (`wider`), of n or m rows and of as many as either has (`most`).  What is not ordered does not
# (`apart`): n and m.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def longer(x: R.Tensor(("n", 64), "float32"), y: R.Tensor((1, 64), "float32")):
        a = R.flip(R.add(x, x), axis=0)
        b = R.flip(R.concat([a, y], axis=0), axis=0)
        c = R.flip(R.exp(b), axis=0)
        d = R.flip(R.exp(c), axis=0)
        return R.sum(d)

    @R.function
    def wider(x: R.Tensor(("n", 35), "float32")):
        a = R.flip(R.add(x, x), axis=0)
        b = R.flip(R.astype(a, "float64"), axis=0)
        c = R.flip(R.astype(b, "float32"), axis=0)
        d = R.flip(R.exp(c), axis=0)
        return R.sum(d)

    @R.function
    def most(x: R.Tensor(("n", 64), "float32"), y: R.Tensor(("m", 64), "float32"), z: R.Tensor(("T.max(n, m)", 64), "float32")):
        a = R.flip(R.add(x, x), axis=0)
        b = R.add(z, R.min(y))
        c = R.max(a)
        d = R.flip(R.add(R.flip(b, axis=0), c), axis=0)
        return R.sum(d)

    @R.function
    def apart(x: R.Tensor(("n", 64), "float32"), y: R.Tensor(("m", 64), "float32")):
        a = R.flip(R.add(x, x), axis=0)
        b = R.flip(R.add(y, R.sum(a)), axis=0)
        c = R.flip(R.add(a, R.sum(b)), axis=0)
        return R.sum(c)
# OUT:
# longer: 9 storages, n * 512 + 516 bytes (n * 512 + 512 in one piece)
#   bound n * 512 + 516 bytes: no plan of these is lower
#   stack: n * 512 + 512 bytes at most
#   storage    steps             bytes         offset
#   add        [1, 5)            n * 256       0
#   a          [3, 8)            n * 256       n * 256 + 256
#   concat     [6, 11)           n * 256 + 256 0
#   b          [9, 14)           n * 256 + 256 n * 256 + 256
#   tir_exp    [12, 17)          n * 256 + 256 0
#   c          [15, 20)          n * 256 + 256 n * 256 + 256
#   tir_exp_2  [18, 27)          n * 256 + 256 0
#   d          [21, 26)          n * 256 + 256 n * 256 + 256
#   sum        [24, 28)          4             apart  (result)
#
# wider: 9 storages, (n * 35 + 7) // 8 * 128 + 4 bytes ((n * 35 + 7) // 8 * 128 in one piece)
#   bound T.max((n * 35 + 15) // 16 * 128 + 4, T.max((n * 35 + 7) // 8 * 128, T.max((n * 35 + 7) // 8 * 64 + (n * 35 + 15) // 16 * 64, (n * 35 + 15) // 16 * 128))) bytes
#   stack: (n * 35 + 7) // 8 * 128 bytes at most
#   storage    steps             bytes         offset
#   add_1      [1, 5)            n * 140       0
#   a          [3, 8)            n * 140       (n * 35 + 7) // 8 * 64
#   cast       [6, 11)           n * 280       0
#   b          [9, 14)           n * 280       (n * 35 + 7) // 8 * 64
#   cast_1     [12, 17)          n * 140       0
#   c          [15, 20)          n * 140       (n * 35 + 7) // 8 * 64
#   tir_exp_1  [18, 27)          n * 140       0
#   d          [21, 26)          n * 140       (n * 35 + 7) // 8 * 64
#   sum_1      [24, 28)          4             apart  (result)
#
# most: 9 storages, T.max(m, n) * 512 + 68 bytes (T.max(m, n) * 512 + 64 in one piece)
#   bound T.max(m, n) * 512 + 64 bytes
#   stack: T.max(m, n) * 512 + 64 bytes at most
#   storage  steps             bytes         offset
#   add      [1, 5)            n * 256       0
#   a        [3, 13)           n * 256       T.max(m, n) * 256
#   min      [6, 10)           4             T.max(m, n) * 512
#   b        [8, 16)           T.max(m, n) * 256 0
#   c        [11, 19)          4             T.max(m, n) * 512
#   flip_4   [14, 20)          T.max(m, n) * 256 T.max(m, n) * 256
#   add_2    [17, 27)          T.max(m, n) * 256 0
#   d        [21, 26)          T.max(m, n) * 256 T.max(m, n) * 256
#   sum_2    [24, 28)          4             apart  (result)
#
# apart: 9 storages, T.max(n * 512 + 4, T.max(m * 512 + n * 256, T.max(m * 256 + n * 256 + 4, n * 512))) bytes
#   bound T.max(n * 512 + 4, T.max(m * 512 + n * 256, T.max(m * 256 + n * 256 + 4, n * 512))) bytes: no plan of these is lower
#   stack: T.max(m * 256, T.max(n * 256, 64)) bytes at most
#   storage  steps             bytes         offset
#   add      [0, 4)            n * 256       apart
#   a        [2, 18)           n * 256       apart
#   sum_3    [5, 9)            4             apart
#   add_3    [7, 12)           m * 256       apart
#   b        [10, 15)          m * 256       apart
#   sum_3_2  [13, 19)          4             apart
#   add_3_2  [16, 22)          n * 256       apart
#   c        [20, 25)          n * 256       apart
#   sum_3_3  [23, 26)          4             apart  (result)
