# RUN: plan --skip=FuseOps -p unscheduled
# All symbols have upper bounds, and sizes of different expressions share no bytes in a plan of expressions: at the bounds
# numbers take less, so there are numbers.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": 32, "m": 16}})
        a = R.permute_dims(x)
        b = R.sum(R.matmul(x, a), axis=[1])
        c = R.matmul(R.reshape(b, (n, 1)), R.reshape(b, (1, n)))
        d = R.matmul(c, x)
        e = R.matmul(R.permute_dims(d), d)
        f = R.matmul(e, R.permute_dims(x))
        return R.sum(f, axis=[0])
# OUT:
# main: 10 storages, 6144 bytes
#   bound T.max((n + 15) // 16 * 64 + (m * n + 15) // 16 * 64, T.max((m * m + 15) // 16 * 64 + (m * n + 15) // 16 * 128, T.max((n + 15) // 16 * 64 + (n * n + 15) // 16 * 64, (m * n + 15) // 16 * 64 + (n * n + 15) // 16 * 64))) bytes
#   stack: 0 bytes at most
#   storage         steps             bytes         offset
#   a               [1, 5)            m * n * 4     0
#   matmul          [3, 8)            n * n * 4     2048
#   b               [6, 13)           n * 4         0
#   c               [11, 16)          n * n * 4     2048
#   d               [14, 21)          m * n * 4     0
#   permute_dims    [17, 22)          m * n * 4     2048
#   e               [19, 27)          m * m * 4     4096
#   permute_dims_2  [23, 28)          m * n * 4     0
#   f               [25, 31)          m * n * 4     2048
#   sum_1           [29, 32)          n * 4         0  (result)
