# RUN: opt -p LegalizeOps,ViewCalls,InplaceCalls
# A result of another dtype, or of another shape, is made in storage of as many bytes: a view of the operand is its destination. Not
# where the kernel reads bytes that it has written (a transpose), nor in a borrowed parameter.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6, 4), "float32")):
        t = R.negative(x)
        a = R.astype(t, "int32")
        b = R.add(a, a)
        c = R.permute_dims(b, axes=[1, 0])
        d = R.astype(c, "float32")
        e = R.tile(R.sum(d, axis=[1], keepdims=True), [1, 6])
        f = R.astype(x, "int32")
        return (e, f)

    @R.function
    def symbolic(x: R.Tensor(("n", 2), "float32")):
        n = T.int64()
        t = R.negative(x)
        a = R.astype(t, "int32")
        return R.add(a, a)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(6), T.int64(4)), "int32"), x2: T.Buffer((T.int64(6), T.int64(4)), "int32"), out: T.Buffer((T.int64(6), T.int64(4)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(6), T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def add_1(x1: T.Buffer((n, T.int64(2)), "int32"), x2: T.Buffer((n, T.int64(2)), "int32"), out: T.Buffer((n, T.int64(2)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast(x: T.Buffer((T.int64(6), T.int64(4)), "float32"), out: T.Buffer((T.int64(6), T.int64(4)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(6), T.int64(4)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("int32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_1(x: T.Buffer((T.int64(4), T.int64(6)), "int32"), out: T.Buffer((T.int64(4), T.int64(6)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(6)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("float32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_2(x: T.Buffer((n, T.int64(2)), "float32"), out: T.Buffer((n, T.int64(2)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("int32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def permute_dims(x: T.Buffer((T.int64(6), T.int64(4)), "int32"), out: T.Buffer((T.int64(4), T.int64(6)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(6)):
#             with T.sblock("T_transpose"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax1, v_ax0])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax1, v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(4), T.int64(6)), "float32"), out: T.Buffer((T.int64(4), T.int64(1)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(4), T.int64(6)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0, T.int64(0)])
#                 with T.init():
#                     out[v_ax0, T.int64(0)] = T.float32(0.0)
#                 out[v_ax0, T.int64(0)] = out[v_ax0, T.int64(0)] + x[v_ax0, v_k0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tile(data: T.Buffer((T.int64(4), T.int64(1)), "float32"), out: T.Buffer((T.int64(4), T.int64(6)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(4), T.int64(6), T.int64(1)):
#             with T.sblock("T_tile"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(data[v_ax0, v_ax2])
#                 T.writes(out[v_ax0, v_ax1 + v_ax2])
#                 out[v_ax0, v_ax1 + v_ax2] = data[v_ax0, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((T.int64(6), T.int64(4)), "float32"), out: T.Buffer((T.int64(6), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(6), T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_1(x: T.Buffer((n, T.int64(2)), "float32"), out: T.Buffer((n, T.int64(2)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def symbolic(x: R.Tensor((n, 2), dtype="float32")) -> R.Tensor((n, 2), dtype="int32"):
#         cls = Module
#         t = R.call_tir(cls.tir_negative_1, (x,), out_ty=R.Tensor((n, 2), dtype="float32"))
#         a_dest: R.Tensor((n, 2), dtype="int32") = R.memory.view(t, R.shape([n, 2]), R.dtype("int32"), 0)
#         a: R.Tensor((n, 2), dtype="int32") = R.call_tir_inplace(cls.cast_2, (t, a_dest), out_ty=R.Tensor((n, 2), dtype="int32"), inplace_indices=[1])
#         gv: R.Tensor((n, 2), dtype="int32") = R.call_tir_inplace(cls.add_1, (a, a, a), out_ty=R.Tensor((n, 2), dtype="int32"), inplace_indices=[2])
#         return gv
#
#     @R.function
#     def main(x: R.Tensor((6, 4), dtype="float32")) -> R.Tuple(R.Tensor((4, 6), dtype="float32"), R.Tensor((6, 4), dtype="int32")):
#         cls = Module
#         t = R.call_tir(cls.tir_negative, (x,), out_ty=R.Tensor((6, 4), dtype="float32"))
#         a_dest: R.Tensor((6, 4), dtype="int32") = R.memory.view(t, R.shape([6, 4]), R.dtype("int32"), 0)
#         a: R.Tensor((6, 4), dtype="int32") = R.call_tir_inplace(cls.cast, (t, a_dest), out_ty=R.Tensor((6, 4), dtype="int32"), inplace_indices=[1])
#         b: R.Tensor((6, 4), dtype="int32") = R.call_tir_inplace(cls.add, (a, a, a), out_ty=R.Tensor((6, 4), dtype="int32"), inplace_indices=[2])
#         c = R.call_tir(cls.permute_dims, (b,), out_ty=R.Tensor((4, 6), dtype="int32"))
#         d_dest: R.Tensor((4, 6), dtype="float32") = R.memory.view(c, R.shape([4, 6]), R.dtype("float32"), 0)
#         d: R.Tensor((4, 6), dtype="float32") = R.call_tir_inplace(cls.cast_1, (c, d_dest), out_ty=R.Tensor((4, 6), dtype="float32"), inplace_indices=[1])
#         gv = R.call_tir(cls.sum, (d,), out_ty=R.Tensor((4, 1), dtype="float32"))
#         e = R.call_tir(cls.tile, (gv,), out_ty=R.Tensor((4, 6), dtype="float32"))
#         f = R.call_tir(cls.cast, (x,), out_ty=R.Tensor((6, 4), dtype="int32"))
#         return (e, f)
