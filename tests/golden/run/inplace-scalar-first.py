# RUN: run -p debug --in "x=4xf32=1 2 3 4" --stats
# Scalars may stand anywhere among the parameters of a kernel: the one in the middle moves no other. `b` is read in reverse while `a`, the same storage, is updated: it needs a copy.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add_reversed(a: T.Buffer((4,), "float32"), n: T.int64, b: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] + b[3 - i] * T.Cast("float32", n)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.add(x, x)
        z = R.call_tir_inplace(cls.add_reversed, (y, y, R.prim_value(T.int64(10))), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        return z
# OUT:
# result: (4,) float32
# [82. 64. 46. 28.]
# in place: 0, copies: 0 (0 bytes), fresh: 1, views: 0
# memory: 80 bytes at most, 32 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
