# RUN: opt -p LegalizeOps
# Products of widened bytes less zero points become products of the bytes and terms of rows and columns; a zero point
# that is 0 is none. What has no 16 rows is left alone where the sums over the other operand are no constants.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 20), "uint8"), w: R.Tensor((20, 17), "int8"), z: R.Tensor((), "uint8"), v: R.Tensor((17,), "int8")):
        a = R.subtract(R.astype(x, "int32"), R.astype(z, "int32"))
        b = R.subtract(R.astype(w, "int32"), R.astype(v, "int32"))
        y = R.matmul(a, b)
        return y

    @R.function
    def none(x: R.Tensor((16, 20), "uint8"), w: R.Tensor((20, 17), "int8")):
        b = R.subtract(R.astype(w, "int32"), R.astype(R.const(0, "int8"), "int32"))
        y = R.matmul(R.astype(x, "int32"), b)
        return y

    @R.function
    def few(x: R.Tensor((15, 20), "uint8"), w: R.Tensor((20, 17), "int8"), z: R.Tensor((), "uint8")):
        a = R.subtract(R.astype(x, "int32"), R.astype(z, "int32"))
        y = R.matmul(a, R.astype(w, "int32"))
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
#     def add(x1: T.Buffer((T.int64(1), T.int64(17)), "int32"), x2: T.Buffer((T.int64(16), T.int64(17)), "int32"), out: T.Buffer((T.int64(16), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(17)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[T.int64(0), v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[T.int64(0), v_ax1] + x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast(x: T.Buffer((T.int64(16), T.int64(20)), "uint8"), out: T.Buffer((T.int64(16), T.int64(20)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(20)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("int32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_1(x: T.Buffer((), "uint8"), out: T.Buffer((), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         with T.sblock("root"):
#             T.reads()
#             T.writes()
#             with T.sblock("T_cast"):
#                 T.reads(x[()])
#                 T.writes(out[()])
#                 out[()] = T.Cast("int32", x[()])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_2(x: T.Buffer((T.int64(20), T.int64(17)), "int8"), out: T.Buffer((T.int64(20), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(20), T.int64(17)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("int32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_3(x: T.Buffer((T.int64(17),), "int8"), out: T.Buffer((T.int64(17),), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(17)):
#             with T.sblock("T_cast"):
#                 v_ax0 = T.axis.spatial(T.int64(17), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.Cast("int32", x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_4(out: T.Buffer((), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         with T.sblock("root"):
#             T.reads()
#             T.writes()
#             with T.sblock("T_cast"):
#                 T.reads()
#                 T.writes(out[()])
#                 out[()] = 0
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_5(x: T.Buffer((T.int64(15), T.int64(20)), "uint8"), out: T.Buffer((T.int64(15), T.int64(20)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(15), T.int64(20)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("int32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(16), T.int64(20)), "uint8"), x2: T.Buffer((T.int64(20), T.int64(17)), "int8"), out: T.Buffer((T.int64(16), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(16), T.int64(20), T.int64(17)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = 0
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + T.Cast("int32", x1[v_ax0, v_k0]) * T.Cast("int32", x2[v_k0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(15), T.int64(20)), "int32"), x2: T.Buffer((T.int64(20), T.int64(17)), "int32"), out: T.Buffer((T.int64(15), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(15), T.int64(20), T.int64(17)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = 0
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply(x1: T.Buffer((), "int32"), x2: T.Buffer((T.int64(1), T.int64(17)), "int32"), out: T.Buffer((T.int64(1), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(17)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[()], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[()] * x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_1(x1: T.Buffer((), "int32"), out: T.Buffer((), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         with T.sblock("root"):
#             T.reads()
#             T.writes()
#             with T.sblock("T_multiply"):
#                 T.reads(x1[()])
#                 T.writes(out[()])
#                 out[()] = x1[()] * 20
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_2(x1: T.Buffer((T.int64(16), T.int64(1)), "int32"), x2: T.Buffer((T.int64(17),), "int32"), out: T.Buffer((T.int64(16), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(17)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, T.int64(0)], x2[v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, T.int64(0)] * x2[v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract(x1: T.Buffer((T.int64(16), T.int64(20)), "int32"), x2: T.Buffer((), "int32"), out: T.Buffer((T.int64(16), T.int64(20)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(20)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[()])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] - x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract_1(x1: T.Buffer((T.int64(20), T.int64(17)), "int32"), x2: T.Buffer((T.int64(17),), "int32"), out: T.Buffer((T.int64(20), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(20), T.int64(17)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] - x2[v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract_2(x1: T.Buffer((T.int64(16), T.int64(1)), "int32"), x2: T.Buffer((), "int32"), out: T.Buffer((T.int64(16), T.int64(1)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(1)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[()])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] - x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract_3(x1: T.Buffer((T.int64(16), T.int64(17)), "int32"), x2: T.Buffer((T.int64(16), T.int64(17)), "int32"), out: T.Buffer((T.int64(16), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(17)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] - x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract_4(x1: T.Buffer((T.int64(20), T.int64(17)), "int32"), x2: T.Buffer((), "int32"), out: T.Buffer((T.int64(20), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(20), T.int64(17)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[()])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] - x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract_5(x1: T.Buffer((T.int64(15), T.int64(20)), "int32"), x2: T.Buffer((), "int32"), out: T.Buffer((T.int64(15), T.int64(20)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(15), T.int64(20)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[()])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] - x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(20), T.int64(17)), "int32"), out: T.Buffer((T.int64(1), T.int64(17)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for k0, ax0 in T.grid(T.int64(20), T.int64(17)):
#             with T.sblock("sum_red"):
#                 v_k0, v_ax0 = T.axis.remap("RS", [k0, ax0])
#                 T.reads(x[v_k0, v_ax0])
#                 T.writes(out[T.int64(0), v_ax0])
#                 with T.init():
#                     out[T.int64(0), v_ax0] = 0
#                 out[T.int64(0), v_ax0] = out[T.int64(0), v_ax0] + x[v_k0, v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum_1(x: T.Buffer((T.int64(16), T.int64(20)), "int32"), out: T.Buffer((T.int64(16), T.int64(1)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(16), T.int64(20)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0, T.int64(0)])
#                 with T.init():
#                     out[v_ax0, T.int64(0)] = 0
#                 out[v_ax0, T.int64(0)] = out[v_ax0, T.int64(0)] + x[v_ax0, v_k0]
#
#     @R.function
#     def few(x: R.Tensor((15, 20), dtype="uint8"), w: R.Tensor((20, 17), dtype="int8"), z: R.Tensor((), dtype="uint8")) -> R.Tensor((15, 17), dtype="int32"):
#         cls = Module
#         gv = R.call_tir(cls.cast_5, (x,), out_ty=R.Tensor((15, 20), dtype="int32"))
#         gv1 = R.call_tir(cls.cast_1, (z,), out_ty=R.Tensor((), dtype="int32"))
#         a = R.call_tir(cls.subtract_5, (gv, gv1), out_ty=R.Tensor((15, 20), dtype="int32"))
#         gv2 = R.call_tir(cls.cast_2, (w,), out_ty=R.Tensor((20, 17), dtype="int32"))
#         y = R.call_tir(cls.matmul_1, (a, gv2), out_ty=R.Tensor((15, 17), dtype="int32"))
#         return y
#
#     @R.function
#     def none(x: R.Tensor((16, 20), dtype="uint8"), w: R.Tensor((20, 17), dtype="int8")) -> R.Tensor((16, 17), dtype="int32"):
#         cls = Module
#         gv = R.call_tir(cls.cast_2, (w,), out_ty=R.Tensor((20, 17), dtype="int32"))
#         gv1 = R.call_tir(cls.cast_4, R.tuple(), out_ty=R.Tensor((), dtype="int32"))
#         b = R.call_tir(cls.subtract_4, (gv, gv1), out_ty=R.Tensor((20, 17), dtype="int32"))
#         gv2 = R.call_tir(cls.cast, (x,), out_ty=R.Tensor((16, 20), dtype="int32"))
#         y = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((16, 17), dtype="int32"))
#         return y
#
#     @R.function
#     def main(x: R.Tensor((16, 20), dtype="uint8"), w: R.Tensor((20, 17), dtype="int8"), z: R.Tensor((), dtype="uint8"), v: R.Tensor((17,), dtype="int8")) -> R.Tensor((16, 17), dtype="int32"):
#         cls = Module
#         gv = R.call_tir(cls.cast, (x,), out_ty=R.Tensor((16, 20), dtype="int32"))
#         gv1 = R.call_tir(cls.cast_1, (z,), out_ty=R.Tensor((), dtype="int32"))
#         a = R.call_tir(cls.subtract, (gv, gv1), out_ty=R.Tensor((16, 20), dtype="int32"))
#         gv2 = R.call_tir(cls.cast_2, (w,), out_ty=R.Tensor((20, 17), dtype="int32"))
#         gv3 = R.call_tir(cls.cast_3, (v,), out_ty=R.Tensor((17,), dtype="int32"))
#         b = R.call_tir(cls.subtract_1, (gv2, gv3), out_ty=R.Tensor((20, 17), dtype="int32"))
#         gv4 = R.call_tir(cls.cast_2, (w,), out_ty=R.Tensor((20, 17), dtype="int32"))
#         gv5 = R.call_tir(cls.sum, (gv4,), out_ty=R.Tensor((1, 17), dtype="int32"))
#         gv6 = R.call_tir(cls.multiply, (gv1, gv5), out_ty=R.Tensor((1, 17), dtype="int32"))
#         gv7 = R.call_tir(cls.cast, (x,), out_ty=R.Tensor((16, 20), dtype="int32"))
#         gv8 = R.call_tir(cls.sum_1, (gv7,), out_ty=R.Tensor((16, 1), dtype="int32"))
#         gv9 = R.call_tir(cls.multiply_1, (gv1,), out_ty=R.Tensor((), dtype="int32"))
#         gv10 = R.call_tir(cls.subtract_2, (gv8, gv9), out_ty=R.Tensor((16, 1), dtype="int32"))
#         gv11 = R.call_tir(cls.multiply_2, (gv10, gv3), out_ty=R.Tensor((16, 17), dtype="int32"))
#         gv12 = R.call_tir(cls.add, (gv6, gv11), out_ty=R.Tensor((16, 17), dtype="int32"))
#         gv13 = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((16, 17), dtype="int32"))
#         y = R.call_tir(cls.subtract_3, (gv13, gv12), out_ty=R.Tensor((16, 17), dtype="int32"))
#         return y
