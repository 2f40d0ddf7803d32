# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# What only moves elements of a matrix is done where the product reads them: `t` and `u`. Not so what two read (`v`), what another
# than a product reads (`w`), nor what leaves neither rows nor columns in a row (`p`).
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 20, 20), "float32"), y: R.Tensor((20, 2, 20), "float32")):
        with R.dataflow():
            t = R.permute_dims(x, axes=[0, 2, 1])
            a = R.matmul(x, t)
            u = R.permute_dims(y, axes=[1, 0, 2])
            b = R.matmul(a, u)
            v = R.permute_dims(b, axes=[0, 2, 1])
            c = R.matmul(R.matmul(x, v), v)
            w = R.permute_dims(c, axes=[0, 2, 1])
            d = R.nn.softmax(w)
            p = R.permute_dims(R.reshape(d, (2, 20, 4, 5)), axes=[3, 0, 1, 2])
            e = R.matmul(R.reshape(x, (1, 2, 20, 20)), p)
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
#     def fused_permute_dims_1_matmul(y: T.Buffer((T.int64(20), T.int64(2), T.int64(20)), "float32"), a: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), b: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, k0, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_k0, v_ax2 = T.axis.remap("SSRS", [ax0, ax1, k0, ax2])
#                 T.reads(a[v_ax0, v_ax1, v_k0], y[v_k0, v_ax0, v_ax2])
#                 T.writes(b[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     b[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 b[v_ax0, v_ax1, v_ax2] = b[v_ax0, v_ax1, v_ax2] + a[v_ax0, v_ax1, v_k0] * y[v_k0, v_ax0, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_permute_dims_matmul(x: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), a: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, k0, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_k0, v_ax2 = T.axis.remap("SSRS", [ax0, ax1, k0, ax2])
#                 T.reads(x[v_ax0, T.min(v_ax1, v_ax2):T.min(v_ax1, v_ax2) + (T.max(v_ax1, v_ax2) - T.min(v_ax1, v_ax2) + T.int64(1)), v_k0])
#                 T.writes(a[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     a[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 a[v_ax0, v_ax1, v_ax2] = a[v_ax0, v_ax1, v_ax2] + x[v_ax0, v_ax1, v_k0] * x[v_ax0, v_ax2, v_k0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), x2: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), out: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, k0, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_k0, v_ax2 = T.axis.remap("SSRS", [ax0, ax1, k0, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_k0], x2[v_ax0, v_k0, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 out[v_ax0, v_ax1, v_ax2] = out[v_ax0, v_ax1, v_ax2] + x1[v_ax0, v_ax1, v_k0] * x2[v_ax0, v_k0, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(1), T.int64(2), T.int64(20), T.int64(20)), "float32"), x2: T.Buffer((T.int64(5), T.int64(2), T.int64(20), T.int64(4)), "float32"), out: T.Buffer((T.int64(5), T.int64(2), T.int64(20), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, k0, ax3 in T.grid(T.int64(5), T.int64(2), T.int64(20), T.int64(20), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_ax3 = T.axis.remap("SSSRS", [ax0, ax1, ax2, k0, ax3])
#                 T.reads(x1[T.int64(0), v_ax1, v_ax2, v_k0], x2[v_ax0, v_ax1, v_k0, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(0.0)
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + x1[T.int64(0), v_ax1, v_ax2, v_k0] * x2[v_ax0, v_ax1, v_k0, v_ax3]
#
#     @T.prim_func(private=True, s_tir=True)
#     def permute_dims(x: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), out: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"op_pattern": 2, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20)):
#             with T.sblock("T_transpose"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x[v_ax0, v_ax2, v_ax1])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = x[v_ax0, v_ax2, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def permute_dims_2(x: T.Buffer((T.int64(2), T.int64(20), T.int64(4), T.int64(5)), "float32"), out: T.Buffer((T.int64(5), T.int64(2), T.int64(20), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 2, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(5), T.int64(2), T.int64(20), T.int64(4)):
#             with T.sblock("T_transpose"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax1, v_ax2, v_ax3, v_ax0])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x[v_ax1, v_ax2, v_ax3, v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def softmax(data: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32"), out: T.Buffer((T.int64(2), T.int64(20), T.int64(20)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         softmax_maxelem = T.sblock_alloc_buffer((T.int64(2), T.int64(20)))
#         softmax_exp = T.sblock_alloc_buffer((T.int64(2), T.int64(20), T.int64(20)))
#         softmax_expsum = T.sblock_alloc_buffer((T.int64(2), T.int64(20)))
#         for ax0, ax1, k0 in T.grid(T.int64(2), T.int64(20), T.int64(20)):
#             with T.sblock("T_softmax_maxelem"):
#                 v_ax0, v_ax1, v_k0 = T.axis.remap("SSR", [ax0, ax1, k0])
#                 T.reads(data[v_ax0, v_ax1, v_k0])
#                 T.writes(softmax_maxelem[v_ax0, v_ax1])
#                 with T.init():
#                     softmax_maxelem[v_ax0, v_ax1] = T.float32("-inf")
#                 softmax_maxelem[v_ax0, v_ax1] = T.max(softmax_maxelem[v_ax0, v_ax1], data[v_ax0, v_ax1, v_k0])
#         for ax0, ax1, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20)):
#             with T.sblock("T_softmax_exp"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(data[v_ax0, v_ax1, v_ax2], softmax_maxelem[v_ax0, v_ax1])
#                 T.writes(softmax_exp[v_ax0, v_ax1, v_ax2])
#                 softmax_exp[v_ax0, v_ax1, v_ax2] = T.exp(data[v_ax0, v_ax1, v_ax2] - softmax_maxelem[v_ax0, v_ax1])
#         for ax0, ax1, k0 in T.grid(T.int64(2), T.int64(20), T.int64(20)):
#             with T.sblock("T_softmax_expsum"):
#                 v_ax0, v_ax1, v_k0 = T.axis.remap("SSR", [ax0, ax1, k0])
#                 T.reads(softmax_exp[v_ax0, v_ax1, v_k0])
#                 T.writes(softmax_expsum[v_ax0, v_ax1])
#                 with T.init():
#                     softmax_expsum[v_ax0, v_ax1] = T.float32(0.0)
#                 softmax_expsum[v_ax0, v_ax1] = softmax_expsum[v_ax0, v_ax1] + softmax_exp[v_ax0, v_ax1, v_k0]
#         for ax0, ax1, ax2 in T.grid(T.int64(2), T.int64(20), T.int64(20)):
#             with T.sblock("T_softmax_norm"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(softmax_exp[v_ax0, v_ax1, v_ax2], softmax_expsum[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = softmax_exp[v_ax0, v_ax1, v_ax2] * (T.float32(1.0) / softmax_expsum[v_ax0, v_ax1])
#
#     @R.function
#     def main(x: R.Tensor((2, 20, 20), dtype="float32"), y: R.Tensor((20, 2, 20), dtype="float32")) -> R.Tensor((5, 2, 20, 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.fused_permute_dims_matmul, (x,), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             b = R.call_tir(cls.fused_permute_dims_1_matmul, (y, a), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             v = R.call_tir(cls.permute_dims, (b,), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             lv = R.call_tir(cls.matmul, (x, v), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             c = R.call_tir(cls.matmul, (lv, v), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             w = R.call_tir(cls.permute_dims, (c,), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             d = R.call_tir(cls.softmax, (w,), out_ty=R.Tensor((2, 20, 20), dtype="float32"))
#             lv1: R.Tensor((2, 20, 4, 5), dtype="float32") = R.reshape(d, R.shape([2, 20, 4, 5]))
#             p = R.call_tir(cls.permute_dims_2, (lv1,), out_ty=R.Tensor((5, 2, 20, 4), dtype="float32"))
#             lv2: R.Tensor((1, 2, 20, 20), dtype="float32") = R.reshape(x, R.shape([1, 2, 20, 20]))
#             e = R.call_tir(cls.matmul_1, (lv2, p), out_ty=R.Tensor((5, 2, 20, 4), dtype="float32"))
#             R.output(e)
#         return e
