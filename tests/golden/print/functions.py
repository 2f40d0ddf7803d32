# RUN: opt
# Nested functions, callables, tuples, and what has no value.
from tvm.script import relax as R
from tvm.script import tirx as T


@R.function
def main(x: R.Tensor(("n",), "float32"), f: R.Callable((R.Tensor(ndim=1),), R.Any, True), p: R.PackedFunc):
    n = T.int64()

    @R.function
    def inner(y: R.Tensor((n,), "float32"), z: R.Tensor(("m",), "float32")) -> R.Tensor((n,), "float32"):
        m = T.int64()
        w: R.Tensor((n,), "float32") = R.add(x, y)
        v = R.zeros((m,), "float32")
        return w

    a = inner(x, x)
    b = f(a)
    t = (a,)
    e = R.tuple()
    s = R.shape([n, n * 2])
    q, r = (a, x)
    return ((t[0], e), (s, b))
# OUT:
# # from typing import TypeVar
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @R.function
# def main(x: R.Tensor((n,), dtype="float32"), f: R.Callable((R.Tensor(ndim=1),), R.Any, True), p: R.PackedFunc) -> R.Tuple(R.Tuple(R.Tensor((n,), dtype="float32"), R.Tuple), R.Tuple(R.Shape([n, "n * 2"]), R.Any)):
#     @R.function
#     def inner(y: R.Tensor((n,), dtype="float32"), z: R.Tensor(("m",), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
#         m = T.int64()
#         w: R.Tensor((n,), dtype="float32") = R.add(x, y)
#         v: R.Tensor((m,), dtype="float32") = R.zeros(R.shape([m]), dtype="float32")
#         return w
#
#     a: R.Tensor((n,), dtype="float32") = inner(x, x)
#     b: R.Any = f(a)
#     t: R.Tuple(R.Tensor((n,), dtype="float32")) = (a,)
#     e: R.Tuple = R.tuple()
#     s: R.Shape([n, n * 2]) = R.shape([n, n * 2])
#     q: R.Tensor((n,), dtype="float32") = a
#     r: R.Tensor((n,), dtype="float32") = x
#     gv: R.Tensor((n,), dtype="float32") = t[0]
#     return ((gv, e), (s, b))
