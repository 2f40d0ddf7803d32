# RUN: opt -p LambdaLift --check-each
# What stays nested: a function that captures x and is returned, and one that captures a function.  A symbol m that no
# parameter shows is captured as a scalar.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def returns(x: R.Tensor((4,), "float32")) -> R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True):
        @R.function
        def inner(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            b = R.add(a, x)
            return b

        return inner

    @R.function
    def captures(x: R.Tensor((4,), "float32"), f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True)) -> R.Tensor((4,), "float32"):
        @R.function
        def inner(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            b = f(a)
            return b

        c = inner(x)
        return c

    @R.function
    def symbol(x: R.Tensor(("m",), "float32")):
        m = T.int64()

        @R.function
        def inner(a: R.Tensor((), "float32")) -> R.Tensor(ndim=1, dtype="float32"):
            b = R.full(R.shape([m]), a, "float32")
            return b

        c = inner(R.const(1.0, "float32"))
        return c
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @R.function
#     def captures(x: R.Tensor((4,), dtype="float32"), f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)) -> R.Tensor((4,), dtype="float32"):
#         @R.function
#         def inner(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             b: R.Tensor((4,), dtype="float32") = f(a)
#             return b
#
#         c: R.Tensor((4,), dtype="float32") = inner(x)
#         return c
#
#     @R.function
#     def returns(x: R.Tensor((4,), dtype="float32")) -> R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True):
#         @R.function
#         def inner(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             b: R.Tensor((4,), dtype="float32") = R.add(a, x)
#             return b
#
#         return inner
#
#     @R.function
#     def symbol(x: R.Tensor((m,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
#         cls = Module
#         c: R.Tensor(dtype="float32", ndim=1) = cls.symbol_inner(R.const(1.0, "float32"), m)
#         return c
#
#     @R.function(private=True)
#     def symbol_inner(a: R.Tensor((), dtype="float32"), m: T.int64) -> R.Tensor(dtype="float32", ndim=1):
#         b: R.Tensor((m,), dtype="float32") = R.full(R.shape([m]), a, dtype="float32")
#         return b
