# RUN: opt
# An annotation may say less than is known, or what cannot be decided; it is kept.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(x: R.Tensor(("n", 3), "float32"), y: R.Tensor):
    n = T.int64()
    a: R.Tensor(ndim=2, dtype="float32") = R.exp(x)
    b: R.Any = R.exp(x)
    c: R.Tensor((n, 3), "float32") = R.match_cast(y, R.Tensor((n, 3), "float32"))
    d: T.int64 = 4
    e: R.Tensor((), "int32") = 4
    return (a, b, c, d, e)
# OUT:
# # from typing import TypeVar
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @R.function
# def main(x: R.Tensor((n, 3), dtype="float32"), y: R.Tensor) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Any, R.Tensor((n, 3), dtype="float32"), R.Prim("int64"), R.Tensor((), dtype="int32")):
#     gv: R.Tensor((n, 3), dtype="float32") = R.exp(x)
#     a: R.Tensor(dtype="float32", ndim=2) = gv
#     gv1: R.Tensor((n, 3), dtype="float32") = R.exp(x)
#     b: R.Any = gv1
#     c: R.Tensor((n, 3), dtype="float32") = R.match_cast(y, R.Tensor((n, 3), dtype="float32"))
#     d: T.int64 = 4
#     e: R.Tensor((), dtype="int32") = R.const(4, "int32")
#     return (a, b, c, d, e)
