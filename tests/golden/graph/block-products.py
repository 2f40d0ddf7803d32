# RUN: opt -p LegalizeOps,DeadCodeElimination
# Weights of 4 bits with a scale and a zero point for each 16 of a column, and of 8 bits with one zero point for all, are
# widened in the loops of their products, and zero points that are bytes as well. Where the halves are joined in another order, that is another matrix.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 32), "float32"), b: R.Tensor((16, 1, 20), "uint8"), z: R.Tensor((2, 1, 20), "float32"), s: R.Tensor((2, 1, 20), "float32")):
        halves = R.concat((R.bitwise_and(b, R.const(15, "uint8")), R.right_shift(b, R.const(4, "uint8"))), axis=1)
        q = R.astype(R.reshape(halves, R.shape([2, 16, 20])), "float32")
        w = R.reshape(R.multiply(R.subtract(q, z), s), R.shape([32, 20]))
        y = R.matmul(x, w)
        return y

    @R.function
    def bytes(x: R.Tensor((3, 32), "float32"), b: R.Tensor((2, 16, 20), "uint8"), s: R.Tensor((2, 1, 20), "float32")):
        q = R.subtract(R.astype(b, "float32"), R.const(128, "float32"))
        y = R.matmul(x, R.reshape(R.multiply(q, s), R.shape([32, 20])))
        return y

    @R.function
    def zeros(x: R.Tensor((3, 32), "float32"), b: R.Tensor((2, 16, 20), "uint8"), z: R.Tensor((2, 1, 20), "uint8"), s: R.Tensor((2, 1, 20), "float32")):
        q = R.subtract(R.astype(b, "float32"), R.astype(z, "float32"))
        y = R.matmul(x, R.reshape(R.multiply(q, s), R.shape([32, 20])))
        return y

    @R.function
    def other(x: R.Tensor((3, 32), "float32"), b: R.Tensor((16, 1, 20), "uint8"), s: R.Tensor((2, 1, 20), "float32")):
        halves = R.concat((R.right_shift(b, R.const(4, "uint8")), R.bitwise_and(b, R.const(15, "uint8"))), axis=1)
        q = R.subtract(R.astype(R.reshape(halves, R.shape([2, 16, 20])), "float32"), R.const(8, "float32"))
        y = R.matmul(x, R.reshape(R.multiply(q, s), R.shape([32, 20])))
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
#     def bitwise_and(x1: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8"), out: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(16), T.int64(1), T.int64(20)):
#             with T.sblock("T_bitwise_and"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = x1[v_ax0, v_ax1, v_ax2] & T.uint8(15)
#
#     @T.prim_func(private=True, s_tir=True)
#     def concat(x0: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8"), x1: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8"), out: T.Buffer((T.int64(16), T.int64(2), T.int64(20)), "uint8")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(16), T.int64(1), T.int64(20)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x0[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = x0[v_ax0, v_ax1, v_ax2]
#         for ax0, ax1, ax2 in T.grid(T.int64(16), T.int64(1), T.int64(20)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1 + T.int64(1), v_ax2])
#                 out[v_ax0, v_ax1 + T.int64(1), v_ax2] = x1[v_ax0, v_ax1, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(3), T.int64(32)), "float32"), more0: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8"), more1: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), more2: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), out: T.Buffer((T.int64(3), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(3), T.int64(32), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], more0[v_k0 // T.int64(2), T.int64(0), v_ax1], more1[v_k0 // T.int64(16), T.int64(0), v_ax1], more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * ((T.Cast("float32", T.Select(v_k0 % T.int64(2) == T.int64(0), more0[v_k0 // T.int64(2), T.int64(0), v_ax1] % T.uint8(16), more0[v_k0 // T.int64(2), T.int64(0), v_ax1] // T.uint8(16))) - more1[v_k0 // T.int64(16), T.int64(0), v_ax1]) * more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(3), T.int64(32)), "float32"), more0: T.Buffer((T.int64(2), T.int64(16), T.int64(20)), "uint8"), more2: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), out: T.Buffer((T.int64(3), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(3), T.int64(32), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], more0[v_k0 // T.int64(16), v_k0 % T.int64(16), v_ax1], more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * ((T.Cast("float32", more0[v_k0 // T.int64(16), v_k0 % T.int64(16), v_ax1]) - T.float32(128.0)) * more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_2(x1: T.Buffer((T.int64(3), T.int64(32)), "float32"), more0: T.Buffer((T.int64(2), T.int64(16), T.int64(20)), "uint8"), more1: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "uint8"), more2: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), out: T.Buffer((T.int64(3), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(3), T.int64(32), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], more0[v_k0 // T.int64(16), v_k0 % T.int64(16), v_ax1], more1[v_k0 // T.int64(16), T.int64(0), v_ax1], more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * ((T.Cast("float32", more0[v_k0 // T.int64(16), v_k0 % T.int64(16), v_ax1]) - T.Cast("float32", more1[v_k0 // T.int64(16), T.int64(0), v_ax1])) * more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_3(x1: T.Buffer((T.int64(3), T.int64(32)), "float32"), more0: T.Buffer((T.int64(2), T.int64(16), T.int64(20)), "uint8"), more2: T.Buffer((T.int64(2), T.int64(1), T.int64(20)), "float32"), out: T.Buffer((T.int64(3), T.int64(20)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(3), T.int64(32), T.int64(20)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], more0[v_k0 // T.int64(16), v_k0 % T.int64(16), v_ax1], more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * ((T.Cast("float32", more0[v_k0 // T.int64(16), v_k0 % T.int64(16), v_ax1]) - T.float32(8.0)) * more2[v_k0 // T.int64(16), T.int64(0), v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def right_shift(x1: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8"), out: T.Buffer((T.int64(16), T.int64(1), T.int64(20)), "uint8")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(16), T.int64(1), T.int64(20)):
#             with T.sblock("T_right_shift"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = x1[v_ax0, v_ax1, v_ax2] >> T.uint8(4)
#
#     @R.function
#     def bytes(x: R.Tensor((3, 32), dtype="float32"), b: R.Tensor((2, 16, 20), dtype="uint8"), s: R.Tensor((2, 1, 20), dtype="float32")) -> R.Tensor((3, 20), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.matmul_1, (x, b, s), out_ty=R.Tensor((3, 20), dtype="float32"))
#         return y
#
#     @R.function
#     def other(x: R.Tensor((3, 32), dtype="float32"), b: R.Tensor((16, 1, 20), dtype="uint8"), s: R.Tensor((2, 1, 20), dtype="float32")) -> R.Tensor((3, 20), dtype="float32"):
#         cls = Module
#         gv = R.call_tir(cls.right_shift, (b,), out_ty=R.Tensor((16, 1, 20), dtype="uint8"))
#         gv1 = R.call_tir(cls.bitwise_and, (b,), out_ty=R.Tensor((16, 1, 20), dtype="uint8"))
#         halves = R.call_tir(cls.concat, (gv, gv1), out_ty=R.Tensor((16, 2, 20), dtype="uint8"))
#         gv2: R.Tensor((2, 16, 20), dtype="uint8") = R.reshape(halves, R.shape([2, 16, 20]))
#         y = R.call_tir(cls.matmul_3, (x, gv2, s), out_ty=R.Tensor((3, 20), dtype="float32"))
#         return y
#
#     @R.function
#     def zeros(x: R.Tensor((3, 32), dtype="float32"), b: R.Tensor((2, 16, 20), dtype="uint8"), z: R.Tensor((2, 1, 20), dtype="uint8"), s: R.Tensor((2, 1, 20), dtype="float32")) -> R.Tensor((3, 20), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.matmul_2, (x, b, z, s), out_ty=R.Tensor((3, 20), dtype="float32"))
#         return y
#
#     @R.function
#     def main(x: R.Tensor((3, 32), dtype="float32"), b: R.Tensor((16, 1, 20), dtype="uint8"), z: R.Tensor((2, 1, 20), dtype="float32"), s: R.Tensor((2, 1, 20), dtype="float32")) -> R.Tensor((3, 20), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.matmul, (x, b, z, s), out_ty=R.Tensor((3, 20), dtype="float32"))
#         return y
