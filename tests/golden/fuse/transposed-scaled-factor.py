# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# What moves elements of a matrix is done where a product of one row reads them, also if each is scaled in between (`t`). Not so if what is
# in between makes more elements than were moved (`u`), or is read twice (`v`).
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((2, 1, 20), "float32"), x: R.Tensor((2, 20, 20), "float32"), y: R.Tensor((1, 20, 20), "float32")):
        with R.dataflow():
            t = R.permute_dims(x, axes=[0, 2, 1])
            a = R.matmul(q, R.multiply(t, R.const(0.125, "float32")))
            u = R.permute_dims(y, axes=[0, 2, 1])
            b = R.matmul(a, R.add(u, x))
            v = R.negative(R.permute_dims(x, axes=[0, 2, 1]))
            c = R.matmul(R.matmul(b, v), v)
            R.output(c)
        return c
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_add_matmul(u: T.Buffer((T.int64(1), T.int64(20), T.int64(20)), "float32"), x: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), a: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), b: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, k0, ax2 in T.grid(T.int64(2), T.int64(1), T.int64(20), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_k0, v_ax2 = T.axis.remap("SSRS", [ax0, ax1, k0, ax2])
#                 T.reads(a[v_ax0, v_ax1, v_k0], u[T.int64(0), v_k0, v_ax2], x[v_ax0, v_k0, v_ax2])
#                 T.writes(b[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     b[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 b[v_ax0, v_ax1, v_ax2] = b[v_ax0, v_ax1, v_ax2] + a[v_ax0, v_ax1, v_k0] * (u[T.int64(0), v_k0, v_ax2] + x[v_ax0, v_k0, v_ax2])
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_permute_dims_multiply_matmul(x: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), q: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), a: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, k0, ax2 in T.grid(T.int64(2), T.int64(1), T.int64(20), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_k0, v_ax2 = T.axis.remap("SSRS", [ax0, ax1, k0, ax2])
#                 T.reads(q[v_ax0, v_ax1, v_k0], x[v_ax0, v_ax2, v_k0])
#                 T.writes(a[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     a[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 a[v_ax0, v_ax1, v_ax2] = a[v_ax0, v_ax1, v_ax2] + q[v_ax0, v_ax1, v_k0] * (x[v_ax0, v_ax2, v_k0] * T.float32(0.125))
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_permute_dims_tir_negative(x: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), v: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x[v_ax0, v_ax2, v_ax1])
#                 T.writes(v[v_ax0, v_ax1, v_ax2])
#                 v[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax2, v_ax1] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), x2: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), out: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32")):
#         T.func_attr({"op_pattern": 3, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, k0, ax2 in T.grid(T.int64(2), T.int64(1), T.int64(20), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_k0, v_ax2 = T.axis.remap("SSRS", [ax0, ax1, k0, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_k0], x2[v_ax0, v_k0, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 out[v_ax0, v_ax1, v_ax2] = out[v_ax0, v_ax1, v_ax2] + x1[v_ax0, v_ax1, v_k0] * x2[v_ax0, v_k0, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def permute_dims_1(x: T.Buffer((T.int64(1), T.int64(20), T.int64(20)), "float32"), out: T.Buffer((T.int64(1), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"op_pattern": 2, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(20), T.int64(20)):
#             with T.sblock("T_transpose"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x[v_ax0, v_ax2, v_ax1])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax2, v_ax1]
#
#     @R.function
#     def main(q: R.Tensor((2, 1, 20), dtype="float32"), x: R.Tensor((2, 20, 20), dtype="float32"), y: R.Tensor((1, 20, 20), dtype="float32")) -> R.Tensor((2, 1, 20), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.fused_permute_dims_multiply_matmul, (x, q), out_ty=R.Tensor((2, 1, 20), dtype="float32"))
#             u = R.call_tir(cls.permute_dims_1, (y,), out_ty=R.Tensor((1, 20, 20), dtype="float32"))
#             b = R.call_tir(cls.fused_add_matmul, (u, x, a), out_ty=R.Tensor((2, 1, 20), dtype="float32"))
#             v = R.call_tir(cls.fused_permute_dims_tir_negative, (x,), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             lv = R.call_tir(cls.matmul, (b, v), out_ty=R.Tensor((2, 1, 20), dtype="float32"))
#             c = R.call_tir(cls.matmul, (lv, v), out_ty=R.Tensor((2, 1, 20), dtype="float32"))
#             R.output(c)
#         return c
