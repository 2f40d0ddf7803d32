# RUN: opt -p SimplifyGraph(rules="permute_dims_between_reshapes"),LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Attention of a decoder as exporters write it, all sizes open: one kernel.  Sums over an open number of keys begin in a nest of their
# own; keys are transposed between reshapes that join batch and heads, and scaled one by one.  What costs more (`f`) is made once.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor(("b", 12, "s", 64), "float32"), k: R.Tensor(("b", 12, "t", 64), "float32"), v: R.Tensor(("b", 12, "t", 64), "float32"),
             x: R.Tensor(("s", "t"), "float32"), y: R.Tensor((40, "t"), "float32")):
        b = T.int64()
        s = T.int64()
        t = T.int64()
        with R.dataflow():
            joined = R.reshape(k, R.shape([b * 12, t, 64]))
            turned = R.reshape(R.permute_dims(joined, axes=[0, 2, 1]), R.shape([b, 12, 64, t]))
            scores = R.matmul(q, R.multiply(turned, R.const(0.125, "float32")))
            p = R.nn.softmax(scores, axis=-1)
            o = R.matmul(R.where(R.isnan(p), R.const(0.0, "float32"), p), v)
            f = R.matmul(x, R.exp(R.permute_dims(y)))
            R.output(o, f)
        return (o, f)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# t = TypeVar("t")
# b = TypeVar("b")
# s = TypeVar("s")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_permute_dims_1_tir_exp(y: T.Buffer((T.int64(40), t), "float32"), out: T.Buffer((t, T.int64(40)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(t, T.int64(40)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(y[v_ax1, v_ax0])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.exp(y[v_ax1, v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_permute_dims_multiply_matmul_softmax_tir_isnan_where_matmul_1(k: T.Buffer((b, T.int64(12), t, T.int64(64)), "float32"), q: T.Buffer((b, T.int64(12), s, T.int64(64)), "float32"), v: T.Buffer((b, T.int64(12), t, T.int64(64)), "float32"), o: T.Buffer((b, T.int64(12), s, T.int64(64)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         scores = T.sblock_alloc_buffer((b, T.int64(12), s, t))
#         p = T.sblock_alloc_buffer((b, T.int64(12), s, t))
#         lv = T.sblock_alloc_buffer((b, T.int64(12), s, t), "bool")
#         softmax_maxelem = T.sblock_alloc_buffer((b, T.int64(12), s))
#         softmax_exp = T.sblock_alloc_buffer((b, T.int64(12), s, t))
#         softmax_expsum = T.sblock_alloc_buffer((b, T.int64(12), s))
#         for ax0, ax1, ax2, k0, ax3 in T.grid(b, T.int64(12), s, T.int64(64), t):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_ax3 = T.axis.remap("SSSRS", [ax0, ax1, ax2, k0, ax3])
#                 T.reads(q[v_ax0, v_ax1, v_ax2, v_k0], k[v_ax0, v_ax1, v_ax3, v_k0])
#                 T.writes(scores[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     scores[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(0.0)
#                 scores[v_ax0, v_ax1, v_ax2, v_ax3] = scores[v_ax0, v_ax1, v_ax2, v_ax3] + q[v_ax0, v_ax1, v_ax2, v_k0] * (k[v_ax0, v_ax1, v_ax3, v_k0] * T.float32(0.125))
#         for ax0, ax1, ax2 in T.grid(b, T.int64(12), s):
#             with T.sblock("T_softmax_maxelem_init"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads()
#                 T.writes(softmax_maxelem[v_ax0, v_ax1, v_ax2])
#                 softmax_maxelem[v_ax0, v_ax1, v_ax2] = T.float32("-inf")
#         for ax0, ax1, ax2, k0 in T.grid(b, T.int64(12), s, t):
#             with T.sblock("T_softmax_maxelem"):
#                 v_ax0, v_ax1, v_ax2, v_k0 = T.axis.remap("SSSR", [ax0, ax1, ax2, k0])
#                 T.reads(softmax_maxelem[v_ax0, v_ax1, v_ax2], scores[v_ax0, v_ax1, v_ax2, v_k0])
#                 T.writes(softmax_maxelem[v_ax0, v_ax1, v_ax2])
#                 softmax_maxelem[v_ax0, v_ax1, v_ax2] = T.max(softmax_maxelem[v_ax0, v_ax1, v_ax2], scores[v_ax0, v_ax1, v_ax2, v_k0])
#         for ax0, ax1, ax2, ax3 in T.grid(b, T.int64(12), s, t):
#             with T.sblock("T_softmax_exp"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(scores[v_ax0, v_ax1, v_ax2, v_ax3], softmax_maxelem[v_ax0, v_ax1, v_ax2])
#                 T.writes(softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3])
#                 softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3] = T.exp(scores[v_ax0, v_ax1, v_ax2, v_ax3] - softmax_maxelem[v_ax0, v_ax1, v_ax2])
#         for ax0, ax1, ax2 in T.grid(b, T.int64(12), s):
#             with T.sblock("T_softmax_expsum_init"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads()
#                 T.writes(softmax_expsum[v_ax0, v_ax1, v_ax2])
#                 softmax_expsum[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#         for ax0, ax1, ax2, k0 in T.grid(b, T.int64(12), s, t):
#             with T.sblock("T_softmax_expsum"):
#                 v_ax0, v_ax1, v_ax2, v_k0 = T.axis.remap("SSSR", [ax0, ax1, ax2, k0])
#                 T.reads(softmax_expsum[v_ax0, v_ax1, v_ax2], softmax_exp[v_ax0, v_ax1, v_ax2, v_k0])
#                 T.writes(softmax_expsum[v_ax0, v_ax1, v_ax2])
#                 softmax_expsum[v_ax0, v_ax1, v_ax2] = softmax_expsum[v_ax0, v_ax1, v_ax2] + softmax_exp[v_ax0, v_ax1, v_ax2, v_k0]
#         for ax0, ax1, ax2, ax3 in T.grid(b, T.int64(12), s, t):
#             with T.sblock("T_softmax_norm"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3], softmax_expsum[v_ax0, v_ax1, v_ax2])
#                 T.writes(p[v_ax0, v_ax1, v_ax2, v_ax3])
#                 p[v_ax0, v_ax1, v_ax2, v_ax3] = softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3] * (T.float32(1.0) / softmax_expsum[v_ax0, v_ax1, v_ax2])
#         for ax0, ax1, ax2, ax3 in T.grid(b, T.int64(12), s, t):
#             with T.sblock("T_tir_isnan"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(p[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(lv[v_ax0, v_ax1, v_ax2, v_ax3])
#                 lv[v_ax0, v_ax1, v_ax2, v_ax3] = T.isnan(p[v_ax0, v_ax1, v_ax2, v_ax3])
#         for ax0, ax1, ax2, ax3 in T.grid(b, T.int64(12), s, T.int64(64)):
#             with T.sblock("matmul_init"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads()
#                 T.writes(o[v_ax0, v_ax1, v_ax2, v_ax3])
#                 o[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(0.0)
#         for ax0, ax1, ax2, k0, ax3 in T.grid(b, T.int64(12), s, t, T.int64(64)):
#             with T.sblock("matmul_1"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_ax3 = T.axis.remap("SSSRS", [ax0, ax1, ax2, k0, ax3])
#                 T.reads(o[v_ax0, v_ax1, v_ax2, v_ax3], lv[v_ax0, v_ax1, v_ax2, v_k0], p[v_ax0, v_ax1, v_ax2, v_k0], v[v_ax0, v_ax1, v_k0, v_ax3])
#                 T.writes(o[v_ax0, v_ax1, v_ax2, v_ax3])
#                 o[v_ax0, v_ax1, v_ax2, v_ax3] = o[v_ax0, v_ax1, v_ax2, v_ax3] + T.Select(lv[v_ax0, v_ax1, v_ax2, v_k0], T.float32(0.0), p[v_ax0, v_ax1, v_ax2, v_k0]) * v[v_ax0, v_ax1, v_k0, v_ax3]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_2(x1: T.Buffer((s, t), "float32"), x2: T.Buffer((t, T.int64(40)), "float32"), out: T.Buffer((s, T.int64(40)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(s, T.int64(40)):
#             with T.sblock("matmul_init"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads()
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.float32(0.0)
#         for ax0, k0, ax1 in T.grid(s, t, T.int64(40)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(out[v_ax0, v_ax1], x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @R.function
#     def main(q: R.Tensor((b, 12, s, 64), dtype="float32"), k: R.Tensor((b, 12, t, 64), dtype="float32"), v: R.Tensor((b, 12, t, 64), dtype="float32"), x: R.Tensor((s, t), dtype="float32"), y: R.Tensor((40, t), dtype="float32")) -> R.Tuple(R.Tensor((b, 12, s, 64), dtype="float32"), R.Tensor((s, 40), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             o = R.call_tir(cls.fused_permute_dims_multiply_matmul_softmax_tir_isnan_where_matmul_1, (k, q, v), out_ty=R.Tensor((b, 12, s, 64), dtype="float32"))
#             lv = R.call_tir(cls.fused_permute_dims_1_tir_exp, (y,), out_ty=R.Tensor((t, 40), dtype="float32"))
#             f = R.call_tir(cls.matmul_2, (x, lv), out_ty=R.Tensor((s, 40), dtype="float32"))
#             R.output(o, f)
#         return (o, f)
