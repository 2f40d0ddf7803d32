# RUN: opt -p LegalizeOps,InplaceCalls
# A read of `t` stands behind the call that could take it over, and reads nothing that is made between: in front of it, two results take over storage instead of one. The second function has no such order: what reads `t` needs `a`.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        t = R.exp(x)
        w = R.exp(z)
        a = R.add(t, y)
        b = R.add(w, t)
        r = R.multiply(a, b)
        return r

    @R.function
    def other(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        t = R.exp(x)
        a = R.add(t, y)
        r = R.multiply(a, t)
        return r
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_multiply"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] * x2[v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @R.function
#     def other(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         a = R.call_tir(cls.add, (t, y), out_ty=R.Tensor((4,), dtype="float32"))
#         r: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.multiply, (a, t, a), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         return r
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         w = R.call_tir(cls.tir_exp, (z,), out_ty=R.Tensor((4,), dtype="float32"))
#         b: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (w, t, w), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         a: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (t, y, t), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         r: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.multiply, (a, b, a), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         return r
