# RUN: run --check --in x=64xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64 --dim n=3
# A sum whose place moves during the loop: the first element goes to s[0], the others to s[1]. And loops with
# an end that is below 0: they do not run, however they are cut, and neither does a product over such a range.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def moves(x: T.Buffer((64,), "float32"), at: T.Buffer((64,), "int64"), s: T.Buffer((2,), "float32")):
        for i in range(64):
            at[i] = T.int64(0)
        for i in range(2):
            s[i] = T.float32(0)
        for i in range(64):
            s[at[0]] = s[at[0]] + x[i]
            at[i] = T.int64(1)

    @T.prim_func(private=True)
    def below(x: T.Buffer((64,), "float32"), y: T.Buffer(("n",), "float32"), s: T.Buffer((2,), "float32"), z: T.Buffer((n, 64), "float32")):
        n = T.int64()
        s[0] = T.float32(1)
        s[1] = T.float32(2)
        for i in range(n - T.int64(8)):
            s[0] = s[0] + x[i]
        for i in range(T.Cast("int32", n) - 40):
            s[1] = T.max(s[1], x[i])
        for i, j in T.grid(n, T.int64(64)):
            z[i, j] = T.float32(0)
        for i, j, k in T.grid(n, T.int64(64), n - T.int64(20)):
            z[i, j] = z[i, j] + x[i + k] * x[j + k]

    @R.function
    def main(x: R.Tensor((64,), "float32"), y: R.Tensor(("n",), "float32")):
        cls = Module
        n = T.int64()
        a = R.call_tir(cls.moves, (x,), out_ty=[R.Tensor((64,), "int64"), R.Tensor((2,), "float32")])
        b = R.call_tir(cls.below, (x, y), out_ty=[R.Tensor((2,), "float32"), R.Tensor((n, 64), "float32")])
        c = R.sum(b[1])
        return (a[1], b[0], c)
# OUT:
# result.0: (2,) float32
# [   1. 2079.]
# result.1: (2,) float32
# [1. 2.]
# result.2: () float32
# 0.
