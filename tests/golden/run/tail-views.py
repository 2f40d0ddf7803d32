# RUN: run --check --in x=6xf32=1,2,3,4,5,6 --in z=6xf32=6,5,4,3,2,1
# The result of a loop is all of some storage or a part of it, which each turn meets in another order.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def half(h: T.Buffer((6,), "float32"), x: T.Buffer((6,), "float32")):
        for i in range(6):
            h[i] = h[i] * T.float32(0.5) + x[i]

    @R.function(private=True)
    def steps(a: R.Tensor((6,), "float32"), b: R.Tensor((6,), "float32"), c: R.Tensor((6,), "float32"), i: R.Prim("int64")) -> R.Tensor((6,), "float32"):
        R.func_attr({"relax.inplace_arg": [2]})
        cls = Module
        if R.prim_value(i % 3 == 0):
            d = b
        else:
            d = c
        if R.prim_value(i > 0):
            e = R.call_tir_inplace(cls.half, (a, d), out_ty=R.Tensor((6,), "float32"), inplace_indices=[0])
            r: R.Tensor((6,), "float32") = cls.steps(d, R.reshape(R.reshape(e, R.shape([2, 3])), R.shape([6])), e, R.prim_value(i - 1))
        else:
            r = d
        return r

    @R.function
    def main(x: R.Tensor((6,), "float32"), z: R.Tensor((6,), "float32")) -> R.Tensor((6,), "float32"):
        cls = Module
        y: R.Tensor((6,), "float32") = cls.steps(x, z, R.add(x, z), R.prim_value(5))
        return y
# OUT:
# result: (6,) float32
# [27.625    29. 30.375  31.75 33.125   34.5]
