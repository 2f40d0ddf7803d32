# RUN: opt -p 'LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination'
# Each branch has groups of its own; none reaches out of it. Behind LambdaLift nested functions fuse, too.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        if c:
            b = R.add(a, x)
            d = R.tanh(b)
            y = R.negative(d)
        else:
            e = R.negative(x)
            y = R.tanh(e)
        z = R.exp(y)
        w = R.tanh(z)
        return w
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_add_tir_tanh_tir_negative(a: T.Buffer((T.int64(4),), "float32"), x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(a[v_ax0], x[v_ax0])
#                 T.writes(y[v_ax0])
#                 y[v_ax0] = T.tanh(a[v_ax0] + x[v_ax0]) * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_exp_tir_tanh(y: T.Buffer((T.int64(4),), "float32"), w: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_tanh"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(y[v_ax0])
#                 T.writes(w[v_ax0])
#                 w[v_ax0] = T.tanh(T.exp(y[v_ax0]))
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_negative_tir_tanh(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_tanh"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(y[v_ax0])
#                 y[v_ax0] = T.tanh(x[v_ax0] * T.float32(-1.0))
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @R.function
#     def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         if c:
#             y = R.call_tir(cls.fused_add_tir_tanh_tir_negative, (a, x), out_ty=R.Tensor((4,), dtype="float32"))
#         else:
#             y = R.call_tir(cls.fused_tir_negative_tir_tanh, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         w = R.call_tir(cls.fused_tir_exp_tir_tanh, (y,), out_ty=R.Tensor((4,), dtype="float32"))
#         return w
