# RUN: opt -p LegalizeOps
# Operators that need the same loops share a kernel; literals stand in the kernel; views stay.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), dtype="float16"), y: R.Tensor((4, 8), dtype="float16")):
        a = R.add(x, y)
        b = R.add(a, x)
        c = R.add(b, R.const(0.5, "float16"))
        d = R.expand_dims(c, axis=0)
        e = R.astype(d, "float16")
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
#     def add(x1: T.Buffer((T.int64(4), T.int64(8)), "float16"), x2: T.Buffer((T.int64(4), T.int64(8)), "float16"), out: T.Buffer((T.int64(4), T.int64(8)), "float16")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("float16", T.Cast("float32", x1[v_ax0, v_ax1]) + T.Cast("float32", x2[v_ax0, v_ax1]))
#
#     @T.prim_func(private=True, s_tir=True)
#     def add_1(x1: T.Buffer((T.int64(4), T.int64(8)), "float16"), out: T.Buffer((T.int64(4), T.int64(8)), "float16")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("float16", T.Cast("float32", x1[v_ax0, v_ax1]) + T.Cast("float32", T.float16(0.5)))
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float16"), y: R.Tensor((4, 8), dtype="float16")) -> R.Tensor((1, 4, 8), dtype="float16"):
#         cls = Module
#         a = R.call_tir(cls.add, (x, y), out_ty=R.Tensor((4, 8), dtype="float16"))
#         b = R.call_tir(cls.add, (a, x), out_ty=R.Tensor((4, 8), dtype="float16"))
#         c = R.call_tir(cls.add_1, (b,), out_ty=R.Tensor((4, 8), dtype="float16"))
#         d: R.Tensor((1, 4, 8), dtype="float16") = R.expand_dims(c, axis=[0])
#         e: R.Tensor((1, 4, 8), dtype="float16") = d
#         return e
