# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# What moves a factor is read, behind another op, by a product in a branch, or behind an effect. Neither is in the graph of the
# first ops, so there is nothing to be seen of it: the product reads what those make.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def branch(x: R.Tensor((4, 3), "float32"), w: R.Tensor((4, 2), "float32"), c: R.Tensor((), "bool")):
        t = R.permute_dims(x)
        u = R.negative(t)
        if c:
            y = R.matmul(u, w)
        else:
            y = R.zeros((3, 2), "float32")
        return y

    @R.function(pure=False)
    def effect(x: R.Tensor((4, 3), "float32"), w: R.Tensor((4, 2), "float32")):
        t = R.permute_dims(x)
        u = R.negative(t)
        R.print(format="between")
        v = R.exp(w)
        y = R.matmul(u, v)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_permute_dims_tir_negative(x: T.Buffer((T.int64(4), T.int64(3)), "float32"), u: T.Buffer((T.int64(3), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(3), T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax1, v_ax0])
#                 T.writes(u[v_ax0, v_ax1])
#                 u[v_ax0, v_ax1] = x[v_ax1, v_ax0] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(3), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(2)), "float32"), out: T.Buffer((T.int64(3), T.int64(2)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(3), T.int64(4), T.int64(2)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4), T.int64(2)), "float32"), out: T.Buffer((T.int64(4), T.int64(2)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(2)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def zeros(out: T.Buffer((T.int64(3), T.int64(2)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(3), T.int64(2)):
#             with T.sblock("T_zeros"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads()
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.float32(0.0)
#
#     @R.function
#     def branch(x: R.Tensor((4, 3), dtype="float32"), w: R.Tensor((4, 2), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((3, 2), dtype="float32"):
#         cls = Module
#         u = R.call_tir(cls.fused_permute_dims_tir_negative, (x,), out_ty=R.Tensor((3, 4), dtype="float32"))
#         if c:
#             y = R.call_tir(cls.matmul, (u, w), out_ty=R.Tensor((3, 2), dtype="float32"))
#         else:
#             y = R.call_tir(cls.zeros, R.tuple(), out_ty=R.Tensor((3, 2), dtype="float32"))
#         return y
#
#     @R.function(pure=False)
#     def effect(x: R.Tensor((4, 3), dtype="float32"), w: R.Tensor((4, 2), dtype="float32")) -> R.Tensor((3, 2), dtype="float32"):
#         cls = Module
#         u = R.call_tir(cls.fused_permute_dims_tir_negative, (x,), out_ty=R.Tensor((3, 4), dtype="float32"))
#         R.print(format=R.str("between"))
#         v = R.call_tir(cls.tir_exp, (w,), out_ty=R.Tensor((4, 2), dtype="float32"))
#         y = R.call_tir(cls.matmul, (u, v), out_ty=R.Tensor((3, 2), dtype="float32"))
#         return y
