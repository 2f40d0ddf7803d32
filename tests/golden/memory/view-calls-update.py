# RUN: opt -p LegalizeOps,ViewCalls,DeadCodeElimination,ResolveInplace
# Pieces of a split that are updated are views, and both updates stay in place. `first` is updated while all of `u` is read later:
# as a view its update would need a copy, so the slice stays a kernel.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(0) - a[v_i]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        k = R.call_tir_inplace(cls.neg, (s[0],), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        v = R.call_tir_inplace(cls.neg, (s[1],), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        u = R.exp(x)
        first = R.strided_slice(u, axes=[0], begin=[0], end=[4])
        p = R.call_tir_inplace(cls.neg, (first,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0], strict=True)
        q = R.exp(u)
        return (k, v, p, q)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def neg(a: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("neg"):
#                 v_i = T.axis.spatial(4, i)
#                 T.reads(a[v_i])
#                 T.writes(a[v_i])
#                 a[v_i] = T.float32(0.0) - a[v_i]
#
#     @T.prim_func(private=True, s_tir=True)
#     def strided_slice(x: T.Buffer((T.int64(8),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_strided_slice"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(8),), "float32"), out: T.Buffer((T.int64(8),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(8)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(8), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((T.int64(8),), "float32"), out: T.Buffer((T.int64(8),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(8)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(8), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0] * T.float32(-1.0)
#
#     @R.function
#     def main(x: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((8,), dtype="float32")):
#         cls = Module
#         t = R.call_tir(cls.tir_negative, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#         gv: R.Tensor((4,), dtype="float32") = R.memory.view(t, R.shape([4]), R.dtype("float32"), 0)
#         gv1: R.Tensor((4,), dtype="float32") = R.memory.view(t, R.shape([4]), R.dtype("float32"), 16)
#         s: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = gv, gv1
#         gv2: R.Tensor((4,), dtype="float32") = s[0]
#         k: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (gv2,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         gv3: R.Tensor((4,), dtype="float32") = s[1]
#         v: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (gv3,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         u = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#         first = R.call_tir(cls.strided_slice, (u,), out_ty=R.Tensor((4,), dtype="float32"))
#         p: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (first,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0], strict=True)
#         q = R.call_tir(cls.tir_exp, (u,), out_ty=R.Tensor((8,), dtype="float32"))
#         return (k, v, p, q)
