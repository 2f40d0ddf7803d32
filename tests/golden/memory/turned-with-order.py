# RUN: run --in x=2xi32=1,2
# The first result could lie in `t` if the loop ran backwards; the second one, which asks for it, is right forwards only: the loop stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def both(a: T.Buffer((2,), "int32"), b: T.Buffer((2,), "int32"), c: T.Buffer((2,), "int32")):
        for i in range(2):
            c[i] = b[1 - i] + a[i // 2]
            b[(i + 1) % 2] = b[1 - i] * T.int32(2)

    @R.function
    def main(x: R.Tensor((2,), "int32")):
        cls = Module
        t = R.add(x, x)
        v = R.call_tir_inplace(cls.both, (t, t), out_ty=[R.Tensor((2,), "int32"), R.Tensor((2,), "int32")], inplace_indices=[-1, 1])
        return v
# OUT:
# result.0: (2,) int32
# [6 4]
# result.1: (2,) int32
# [4 8]
