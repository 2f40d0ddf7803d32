# RUN: opt
# Arguments of functions of the module by the names of their parameters: they are read in the order of the text, and
# given in that of the parameters.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def scale(x: R.Tensor((4,), "float32"), by: R.Tensor((4,), "float32"), n: T.int64) -> R.Tensor((4,), "float32"):
        y = R.multiply(x, by)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = cls.scale(x, n=2, by=R.exp(x))
        b = cls.scale(by=R.abs(a), x=R.negative(a), n=3)
        return b
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def scale(x: R.Tensor((4,), dtype="float32"), by: R.Tensor((4,), dtype="float32"), n: T.int64) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.multiply(x, by)
#         return y
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         gv: R.Tensor((4,), dtype="float32") = R.exp(x)
#         a: R.Tensor((4,), dtype="float32") = cls.scale(x, gv, R.prim_value(2))
#         gv1: R.Tensor((4,), dtype="float32") = R.abs(a)
#         gv2: R.Tensor((4,), dtype="float32") = R.negative(a)
#         b: R.Tensor((4,), dtype="float32") = cls.scale(gv2, gv1, R.prim_value(3))
#         return b
