# RUN: opt
# A type variable of the file is a symbol of its own in each function.
from typing import TypeVar
from tvm.script import ir as I
from tvm.script import relax as R

M = TypeVar("M")
N = TypeVar("N")

@I.ir_module
class Module:
    @R.function
    def first(x: R.Tensor((M, "M * 2"), "float32")) -> R.Tensor((M, "M * 2"), "float32"):
        return x

    @R.function
    def second(x: R.Tensor((N, M), "float32")) -> R.Tensor((N * M,), "float32"):
        return R.reshape(x, (N * M,))
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# M = TypeVar("M")
# N = TypeVar("N")
# @I.ir_module
# class Module:
#     @R.function
#     def first(x: R.Tensor((M, "M * 2"), dtype="float32")) -> R.Tensor((M, "M * 2"), dtype="float32"):
#         return x
#
#     @R.function
#     def second(x: R.Tensor((N, M), dtype="float32")) -> R.Tensor(("M * N",), dtype="float32"):
#         gv: R.Tensor((M * N,), dtype="float32") = R.reshape(x, R.shape([N * M]))
#         return gv
