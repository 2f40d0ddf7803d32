# RUN: opt -p LegalizeOps
# A symbol that no tensor argument has as a bare dimension is a scalar parameter, before the tensors.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1), dtype="float32"), s: R.Shape(["m"])):
        n = T.int64()
        m = T.int64()
        wide = R.broadcast_to(x, R.shape([n, m]))
        flat = R.reshape(wide, R.shape([n * m]))
        y = R.exp(flat)
        return y
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def broadcast_to(m: T.int64, x: T.Buffer((n, T.int64(1)), "float32"), out: T.Buffer((n, m), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, m):
#             with T.sblock("T_broadcast_to"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, T.int64(0)])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, T.int64(0)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(m: T.int64, n: T.int64, x: T.Buffer((m * n,), "float32"), out: T.Buffer((m * n,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(m * n):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(m * n, ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @R.function
#     def main(x: R.Tensor((n, 1), dtype="float32"), s: R.Shape([m])) -> R.Tensor(("m * n",), dtype="float32"):
#         cls = Module
#         wide = R.call_tir(cls.broadcast_to, (m, x), out_ty=R.Tensor((n, m), dtype="float32"))
#         flat: R.Tensor((m * n,), dtype="float32") = R.reshape(wide, R.shape([n * m]))
#         y = R.call_tir(cls.tir_exp, (m, n, flat), out_ty=R.Tensor((m * n,), dtype="float32"))
#         return y
