# RUN: opt -p InlinePrivateFunctions --check-each
# Symbols of parameters become what the arguments have; those that the body binds are new ones in each
# copy; what the call would check when it runs (the dimensions of b are equal) is a match_cast.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 3), "float32"), b: R.Tensor(("k", "m"), "float32"), c: R.Tensor(ndim=1, dtype="float32"), d: R.Tensor(ndim=1, dtype="float32")):
        e = Module.shapes(a)
        f = Module.square(b)
        g = Module.own(c)
        h = Module.own(d)
        return (e, f, g, h)

    @R.function(private=True)
    def shapes(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("m", "n"), "float32"):
        n = T.int64()
        m = T.int64()
        y = R.zeros(R.shape([m, n]), "float32")
        return y

    @R.function(private=True)
    def square(x: R.Tensor(("n", "n"), "float32")) -> R.Tensor(("n", "n"), "float32"):
        y = R.add(x, x)
        return y

    @R.function(private=True)
    def own(x: R.Tensor(ndim=1, dtype="float32")) -> R.Tensor(ndim=1, dtype="float32"):
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n,), "float32"))
        z = R.ones(R.shape([n]), "float32")
        w = R.add(y, z)
        return w
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# k = TypeVar("k")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((2, 3), dtype="float32"), b: R.Tensor((k, m), dtype="float32"), c: R.Tensor(dtype="float32", ndim=1), d: R.Tensor(dtype="float32", ndim=1)) -> R.Tuple(R.Tensor((3, 2), dtype="float32"), R.Tensor((k, k), dtype="float32"), R.Tensor(dtype="float32", ndim=1), R.Tensor(dtype="float32", ndim=1)):
#         n = T.int64()
#         n_1 = T.int64()
#         e: R.Tensor((3, 2), dtype="float32") = R.zeros(R.shape([3, 2]), dtype="float32")
#         x: R.Tensor((k, k), dtype="float32") = R.match_cast(b, R.Tensor((k, k), dtype="float32"))
#         f: R.Tensor((k, k), dtype="float32") = R.add(x, x)
#         y: R.Tensor((n,), dtype="float32") = R.match_cast(c, R.Tensor((n,), dtype="float32"))
#         z: R.Tensor((n,), dtype="float32") = R.ones(R.shape([n]), dtype="float32")
#         g: R.Tensor((n,), dtype="float32") = R.add(y, z)
#         y_1: R.Tensor((n_1,), dtype="float32") = R.match_cast(d, R.Tensor((n_1,), dtype="float32"))
#         z_1: R.Tensor((n_1,), dtype="float32") = R.ones(R.shape([n_1]), dtype="float32")
#         h: R.Tensor((n_1,), dtype="float32") = R.add(y_1, z_1)
#         return (e, f, g, h)
