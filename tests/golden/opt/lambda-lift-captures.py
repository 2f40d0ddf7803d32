# RUN: opt -p LambdaLift --check-each
# Captured values are parameters behind the function's own; inner functions first.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "k"), "float32"), y: R.Tensor(("n", "k"), "float32"), p: R.Tensor((), "bool")):
        n = T.int64()
        k = T.int64()
        with R.dataflow():
            e = R.exp(x)
            R.output(e)

        @R.function
        def outer(a: R.Tensor(("n", "k"), "float32")) -> R.Tensor(("n", "k"), "float32"):
            n = T.int64()
            k = T.int64()

            @R.function
            def inner(b: R.Tensor(("n", "k"), "float32")) -> R.Tensor(("n", "k"), "float32"):
                c = R.add(b, a)
                d = R.multiply(c, e)
                return d

            f = inner(a)
            g = inner(y)
            h = R.add(f, g)
            return h

        z = outer(y)
        if p:
            r = outer(z)
        else:
            r = z
        return r
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# k = TypeVar("k")
# n_1 = TypeVar("n_1")
# k_1 = TypeVar("k_1")
# n_2 = TypeVar("n_2")
# k_2 = TypeVar("k_2")
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def main_inner(b: R.Tensor((n, k), dtype="float32"), a: R.Tensor((n_1, k_1), dtype="float32"), e: R.Tensor((n_2, k_2), dtype="float32")) -> R.Tensor((n, k), dtype="float32"):
#         c: R.Tensor(dtype="float32", ndim=2) = R.add(b, a)
#         d: R.Tensor(dtype="float32", ndim=2) = R.multiply(c, e)
#         return d
#
#     @R.function(private=True)
#     def main_outer(a: R.Tensor((n, k), dtype="float32"), e: R.Tensor((n_1, k_1), dtype="float32"), y: R.Tensor((n_1, k_1), dtype="float32")) -> R.Tensor((n, k), dtype="float32"):
#         cls = Module
#         f: R.Tensor((n, k), dtype="float32") = cls.main_inner(a, a, e)
#         g: R.Tensor((n_1, k_1), dtype="float32") = cls.main_inner(y, a, e)
#         h: R.Tensor(dtype="float32", ndim=2) = R.add(f, g)
#         return h
#
#     @R.function
#     def main(x: R.Tensor((n, k), dtype="float32"), y: R.Tensor((n, k), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tensor((n, k), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             e: R.Tensor((n, k), dtype="float32") = R.exp(x)
#             R.output(e)
#         z: R.Tensor((n, k), dtype="float32") = cls.main_outer(y, e, y)
#         if p:
#             r: R.Tensor((n, k), dtype="float32") = cls.main_outer(z, e, y)
#         else:
#             r: R.Tensor((n, k), dtype="float32") = z
#         return r
