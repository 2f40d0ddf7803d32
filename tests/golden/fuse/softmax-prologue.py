# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# What is computed element by element in front of a softmax joins it: each of its loops reads an element once.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.multiply(x, R.const(0.125, "float32"))
            b = R.nn.softmax(a, axis=-1)
            R.output(b)
        return b
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_multiply_softmax(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), b: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         softmax_maxelem = T.sblock_alloc_buffer((T.int64(4),))
#         softmax_exp = T.sblock_alloc_buffer((T.int64(4), T.int64(8)))
#         softmax_expsum = T.sblock_alloc_buffer((T.int64(4),))
#         for ax0, k0 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_softmax_maxelem"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(softmax_maxelem[v_ax0])
#                 with T.init():
#                     softmax_maxelem[v_ax0] = T.float32("-inf")
#                 softmax_maxelem[v_ax0] = T.max(softmax_maxelem[v_ax0], x[v_ax0, v_k0] * T.float32(0.125))
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_softmax_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1], softmax_maxelem[v_ax0])
#                 T.writes(softmax_exp[v_ax0, v_ax1])
#                 softmax_exp[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1] * T.float32(0.125) - softmax_maxelem[v_ax0])
#         for ax0, k0 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_softmax_expsum"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(softmax_exp[v_ax0, v_k0])
#                 T.writes(softmax_expsum[v_ax0])
#                 with T.init():
#                     softmax_expsum[v_ax0] = T.float32(0.0)
#                 softmax_expsum[v_ax0] = softmax_expsum[v_ax0] + softmax_exp[v_ax0, v_k0]
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_softmax_norm"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(softmax_exp[v_ax0, v_ax1], softmax_expsum[v_ax0])
#                 T.writes(b[v_ax0, v_ax1])
#                 b[v_ax0, v_ax1] = softmax_exp[v_ax0, v_ax1] * (T.float32(1.0) / softmax_expsum[v_ax0])
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             b = R.call_tir(cls.fused_multiply_softmax, (x,), out_ty=R.Tensor((4, 8), dtype="float32"))
#             R.output(b)
#         return b
