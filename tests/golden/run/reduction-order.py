# RUN: run --in x=2x6xf32=1,2,3,4,5,6,10,20,30,40,50,60
# Init runs where all reduction axes are at their first value, wherever their loops stand.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sums(a: T.Buffer((2, 6), "float32"), inner: T.Buffer((2,), "float32"), outer: T.Buffer((2,), "float32")):
        for i, k in T.grid(2, 6):
            with T.sblock("inner"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    inner[vi] = T.float32(0.5)
                inner[vi] = inner[vi] + a[vi, vk]
        for k0, i, k1 in T.grid(3, 2, 2):
            with T.sblock("outer"):
                vi = T.axis.spatial(2, i)
                vk = T.axis.reduce(6, k0 * 2 + k1)
                with T.init():
                    outer[vi] = T.float32(0.25)
                outer[vi] = outer[vi] + a[vi, vk]

    @R.function
    def main(x: R.Tensor((2, 6), "float32")):
        cls = Module
        y = R.call_tir(cls.sums, (x,), out_ty=[R.Tensor((2,), "float32"), R.Tensor((2,), "float32")])
        return y
# OUT:
# result.0: (2,) float32
# [ 21.5 210.5]
# result.1: (2,) float32
# [ 21.25 210.25]
