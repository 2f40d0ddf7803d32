# RUN: opt
# A name alone in a string of a parameter defines a symbol; compound strings use them.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(x: R.Tensor(("n * 2", "m"), dtype="float32"), s: R.Shape(["n", "k"])) -> R.Tensor(("m", "n * 2"), dtype="float32"):
    n = T.int64()
    m = T.int64()
    y: R.Tensor((m, n + n), "float32") = R.permute_dims(x, axes=[1, 0])
    return y
# OUT:
# # from typing import TypeVar
# # from tvm.script import relax as R
#
# m = TypeVar("m")
# n = TypeVar("n")
# k = TypeVar("k")
# @R.function
# def main(x: R.Tensor(("n * 2", m), dtype="float32"), s: R.Shape([n, k])) -> R.Tensor((m, "n * 2"), dtype="float32"):
#     y: R.Tensor((m, n * 2), dtype="float32") = R.permute_dims(x, axes=[1, 0])
#     return y
