# RUN: opt
# Functions call each other in any order; a value may be a function.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Whatever:
    @R.function
    def main(x: R.Tensor((4,), "float32"), f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"))):
        cls = Whatever
        a = cls.later(x)
        b = Whatever.annotated(x)
        c = f(b)
        g = cls.annotated
        return (a, c, g(c))

    @R.function(private=True)
    def later(x: R.Tensor((4,), "float32")):
        return R.exp(x)

    @R.function
    def annotated(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        return R.exp(x)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def annotated(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
#         gv: R.Tensor((n,), dtype="float32") = R.exp(x)
#         return gv
#
#     @R.function(private=True)
#     def later(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         gv: R.Tensor((4,), dtype="float32") = R.exp(x)
#         return gv
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)) -> R.Tuple(R.Any, R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         n_1 = T.int64()
#         a: R.Any = cls.later(x)
#         b: R.Tensor((4,), dtype="float32") = cls.annotated(x)
#         c: R.Tensor((4,), dtype="float32") = f(b)
#         g: R.Callable((R.Tensor((n_1,), dtype="float32"),), R.Tensor((n_1,), dtype="float32"), True) = cls.annotated
#         gv: R.Tensor((4,), dtype="float32") = g(c)
#         return (a, c, gv)
