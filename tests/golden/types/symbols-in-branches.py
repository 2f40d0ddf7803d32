# RUN: opt
# A symbol that a cast in an inner branch binds is known where it was bound in front, and only there.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@R.function
def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(ndim=1, dtype="float32"), c: R.Tensor((), "bool")):
    n = T.int64()
    m = T.int64()
    if c:
        if c:
            a = R.match_cast(x, R.Tensor((n,), "float32"))
            b = R.match_cast(y, R.Tensor((m,), "float32"))
            z = (R.add(a, a), b)
        else:
            d = R.match_cast(y, R.Tensor((m,), "float32"))
            z = (R.add(x, x), d)
        w = z
    else:
        w = (x, y)
    return w
# OUT:
# # from typing import TypeVar
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @R.function
# def main(x: R.Tensor((n,), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor(dtype="float32", ndim=1)):
#     m = T.int64()
#     if c:
#         if c:
#             a: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
#             b: R.Tensor((m,), dtype="float32") = R.match_cast(y, R.Tensor((m,), dtype="float32"))
#             gv: R.Tensor((n,), dtype="float32") = R.add(a, a)
#             z: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((m,), dtype="float32")) = gv, b
#         else:
#             d: R.Tensor((m,), dtype="float32") = R.match_cast(y, R.Tensor((m,), dtype="float32"))
#             gv: R.Tensor((n,), dtype="float32") = R.add(x, x)
#             z: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((m,), dtype="float32")) = gv, d
#         w: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor(dtype="float32", ndim=1)) = z
#     else:
#         w: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor(dtype="float32", ndim=1)) = x, y
#     return w
