# RUN: opt
# PEP 695: type parameters of a function are its symbols.
from __future__ import annotations
from tvm.script import relax as R

@R.function
def main[M, N: int](x: R.Tensor((M, N), "float32")) -> R.Tensor((M * N,), "float32"):
    return R.reshape(x, (M * N,))
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor(("M", "N"), dtype="float32")) -> R.Tensor(("M * N",), dtype="float32"):
#     M = T.int64()
#     N = T.int64()
#     gv: R.Tensor((M * N,), dtype="float32") = R.reshape(x, R.shape([M * N]))
#     return gv
