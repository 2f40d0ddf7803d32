# RUN: opt -p RemoveUnusedParameters
# Left alone: public functions, functions that are values, a symbol that no call can name, a value that names a shape.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(ndim=1, dtype="float32"), s: R.Shape(ndim=1)):
        cls = Module
        a = cls.open_shape(y)
        f = cls.value
        b = f(x, x)
        c = cls.public(x, x)
        d = cls.by_shape(s, y)
        return (a, b, c, d)

    @R.function
    def public(x: R.Tensor(("p",), "float32"), unused: R.Tensor(("p",), "float32")) -> R.Tensor(("p",), "float32"):
        return x

    @R.function(private=True)
    def value(x: R.Tensor(("q",), "float32"), unused: R.Tensor(("q",), "float32")) -> R.Tensor(("q",), "float32"):
        return x

    @R.function(private=True)
    def open_shape(x: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        y = R.zeros(R.shape([k]), "float32")
        return y

    @R.function(private=True)
    def by_shape(s: R.Shape(ndim=1), y: R.Tensor(ndim=1, dtype="float32")) -> R.Tensor(ndim=1, dtype="float32"):
        z: R.Tensor(s, "float32") = R.match_cast(y, R.Tensor(s, "float32"))
        return z
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# k = TypeVar("k")
# p = TypeVar("p")
# q = TypeVar("q")
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def by_shape(s: R.Shape(ndim=1), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
#         z: R.Tensor(s, dtype="float32") = R.match_cast(y, R.Tensor(s, dtype="float32"))
#         return z
#
#     @R.function(private=True)
#     def open_shape(x: R.Tensor((k,), dtype="float32")) -> R.Tensor((k,), dtype="float32"):
#         y: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
#         return y
#
#     @R.function
#     def public(x: R.Tensor((p,), dtype="float32"), unused: R.Tensor((p,), dtype="float32")) -> R.Tensor((p,), dtype="float32"):
#         return x
#
#     @R.function(private=True)
#     def value(x: R.Tensor((q,), dtype="float32"), unused: R.Tensor((q,), dtype="float32")) -> R.Tensor((q,), dtype="float32"):
#         return x
#
#     @R.function
#     def main(x: R.Tensor((n,), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1), s: R.Shape(ndim=1)) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32"), R.Tensor(dtype="float32", ndim=1)):
#         cls = Module
#         q_1 = T.int64()
#         a: R.Tensor(dtype="float32", ndim=1) = cls.open_shape(y)
#         f: R.Callable((R.Tensor((q_1,), dtype="float32"), R.Tensor((q_1,), dtype="float32")), R.Tensor((q_1,), dtype="float32"), True) = cls.value
#         b: R.Tensor((n,), dtype="float32") = f(x, x)
#         c: R.Tensor((n,), dtype="float32") = cls.public(x, x)
#         d: R.Tensor(dtype="float32", ndim=1) = cls.by_shape(s, y)
#         return (a, b, c, d)
