# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps(max_depth=3),FuseTIR,DeadCodeElimination
# Groups of at most three calls.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.nn.relu(a)
            c = R.negative(b)
            d = R.abs(c)
            e = R.tanh(d)
            R.output(e)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_abs_tir_tanh(c: T.Buffer((T.int64(4),), "float32"), e: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_tanh"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(c[v_ax0])
#                 T.writes(e[v_ax0])
#                 e[v_ax0] = T.tanh(T.fabs(c[v_ax0]))
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_exp_relu_tir_negative(x: T.Buffer((T.int64(4),), "float32"), c: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(c[v_ax0])
#                 c[v_ax0] = T.max(T.exp(x[v_ax0]), T.float32(0.0)) * T.float32(-1.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             c = R.call_tir(cls.fused_tir_exp_relu_tir_negative, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             e = R.call_tir(cls.fused_tir_abs_tir_tanh, (c,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(e)
#         return e
