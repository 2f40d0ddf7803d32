# RUN: run --check --in i=20 --in x=4xf32=1,2,3,4
# A loop whose state grows, within upper bounds: its arena is a number.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def longer_steps(x: R.Tensor(("n",), "float32"), s: R.Tensor((1,), "float32"), i: R.Prim("int64")) -> R.Tensor((1,), "float32"):
        n = T.int64()
        R.func_attr({"tir_var_upper_bound": {"n": 40}})
        cls = Module
        if R.prim_value(i > 0):
            y = R.concat((x, s), axis=0)
            z = R.mean(y, axis=0, keepdims=True)
            r: R.Tensor((1,), "float32") = cls.longer_steps(y, z, R.prim_value(i - 1))
        else:
            r = s
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), i: R.Prim("int64")) -> R.Tensor((1,), "float32"):
        cls = Module
        s = R.max(x, axis=0, keepdims=True)
        r: R.Tensor((1,), "float32") = cls.longer_steps(x, s, R.prim_value(i))
        return r
# OUT:
# result: (1,) float32
# [2.8]
