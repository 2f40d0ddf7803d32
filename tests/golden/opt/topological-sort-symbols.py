# RUN: opt -p 'TopologicalSort(direction=from-outputs)'
# m has its value from the match_cast, so what mentions m stays behind it though it reads nothing of it:
# by what it reads, z would come in front of c.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n",), "float32"), b: R.Tensor(ndim=1, dtype="float32")):
        m = T.int64()
        with R.dataflow():
            c = R.match_cast(b, R.Tensor((m,), "float32"))
            z = R.zeros(R.shape([m]), "float32")
            s = R.add(z, c)
            y = R.exp(a)
            R.output(s, y)
        return (s, y)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((n,), dtype="float32"), b: R.Tensor(dtype="float32", ndim=1)) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tensor((n,), dtype="float32")):
#         m = T.int64()
#         with R.dataflow():
#             c: R.Tensor((m,), dtype="float32") = R.match_cast(b, R.Tensor((m,), dtype="float32"))
#             z: R.Tensor((m,), dtype="float32") = R.zeros(R.shape([m]), dtype="float32")
#             s: R.Tensor((m,), dtype="float32") = R.add(z, c)
#             y: R.Tensor((n,), dtype="float32") = R.exp(a)
#             R.output(s, y)
#         return (s, y)
