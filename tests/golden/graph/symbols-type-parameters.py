# RUN: opt
# PEP 695: type parameters of a function are its symbols.
from __future__ import annotations
from tvm.script import relax as R

@R.function
def main[M, N: int](x: R.Tensor((M, N), "float32")) -> R.Tensor((M * N,), "float32"):
    return R.reshape(x, (M * N,))
# OUT:
# # from typing import TypeVar
# # from tvm.script import relax as R
#
# M = TypeVar("M")
# N = TypeVar("N")
# @R.function
# def main(x: R.Tensor((M, N), dtype="float32")) -> R.Tensor(("M * N",), dtype="float32"):
#     gv: R.Tensor((M * N,), dtype="float32") = R.reshape(x, R.shape([M * N]))
#     return gv
