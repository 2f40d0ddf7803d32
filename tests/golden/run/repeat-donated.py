# RUN: run --repeat=3 --in "x=2xf32=1 2"
# Each run is given the inputs that were said, though the one before it overwrote its own.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.sblock("double"):
                v = T.axis.spatial(2, i)
                a[v] = a[v] + a[v]

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        y = R.call_tir_inplace(cls.double, (x,), inplace_indices=[0], out_ty=R.Tensor((2,), "float32"))
        return y
# OUT:
# result: (2,) float32
# [2. 4.]
