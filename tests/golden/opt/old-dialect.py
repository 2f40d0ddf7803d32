# RUN: opt
# What TVM 0.16 to 0.23 prints is read, and printed as 0.26 prints it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def scale(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n, 4), "float32")
        Y = T.match_buffer(y, (n, 4), "float32")
        for i, j in T.grid(n, 4):
            with T.block("scale"):
                vi, vj = T.axis.remap("SS", [i, j])
                Y[vi, vj] = X[vi, vj] * 2.0

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((n, 4), dtype="float32"))
            R.output(y)
        return y
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
#     @T.prim_func(s_tir=True)
#     def scale(X: T.Buffer((n, 4), "float32"), Y: T.Buffer((n, 4), "float32")):
#         # with T.sblock("root"):
#         for i, j in T.grid(n, 4):
#             with T.sblock("scale"):
#                 vi, vj = T.axis.remap("SS", [i, j])
#                 T.reads(X[vi, vj])
#                 T.writes(Y[vi, vj])
#                 Y[vi, vj] = X[vi, vj] * T.float32(2.0)
#
#     @R.function
#     def main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             y = R.call_tir(cls.scale, (x,), out_ty=R.Tensor((n, 4), dtype="float32"))
#             R.output(y)
#         return y
