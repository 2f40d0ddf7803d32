# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Symbols that no tensor of the group has as a dimension are arguments; the kernels' own symbols are replaced.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")):
        n, m = T.int64(), T.int64()
        with R.dataflow():
            a = R.concat((x, x), axis=0)
            b = R.reshape(a, R.shape([n * m * 2]))
            c = R.exp(b)
            d = R.add(c, b)
            R.output(d)
        return d
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
#     def concat(x0: T.Buffer((n, m), "float32"), x1: T.Buffer((n, m), "float32"), out: T.Buffer(("n * T.int64(2)", m), "float32")):
#         T.func_attr({"op_pattern": 2, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, m):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x0[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x0[v_ax0, v_ax1]
#         for ax0, ax1 in T.grid(n, m):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + n, v_ax1])
#                 out[v_ax0 + n, v_ax1] = x1[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_exp_add(m: T.int64, n: T.int64, b: T.Buffer((m * n * T.int64(2),), "float32"), d: T.Buffer((m * n * T.int64(2),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(m * n * T.int64(2)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(m * n * T.int64(2), ax0)
#                 T.reads(b[v_ax0])
#                 T.writes(d[v_ax0])
#                 d[v_ax0] = T.exp(b[v_ax0]) + b[v_ax0]
#
#     @R.function
#     def main(x: R.Tensor((n, m), dtype="float32")) -> R.Tensor(("m * n * 2",), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.concat, (x, x), out_ty=R.Tensor((n * 2, m), dtype="float32"))
#             b: R.Tensor((m * n * 2,), dtype="float32") = R.reshape(a, R.shape([n * m * 2]))
#             d = R.call_tir(cls.fused_tir_exp_add, (m, n, b), out_ty=R.Tensor((m * n * 2,), dtype="float32"))
#             R.output(d)
#         return d
