# RUN: opt -p LegalizeOps,DeadCodeElimination
# Convolutions of integers that were bytes are of the bytes, with the zero point around them, less what it adds to
# each channel; of one channel each, only the weights are.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 5, 5), "uint8"), w: R.Tensor((2, 3, 3, 3), "int8"), d: R.Tensor((3, 1, 3, 3), "int8")):
        with R.dataflow():
            a = R.subtract(R.astype(x, "int32"), R.const(7, "int32"))
            whole = R.nn.conv2d(a, R.astype(w, "int32"), padding=[1, 1, 0, 2])
            each = R.nn.conv2d(a, R.astype(d, "int32"), padding=[1, 1, 1, 1], groups=3)
            R.output(whole, each)
        return (whole, each)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def cast(x: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "uint8"), out: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(5), T.int64(5)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = T.Cast("int32", x[v_ax0, v_ax1, v_ax2, v_ax3])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_2(x: T.Buffer((T.int64(2), T.int64(27)), "int8"), out: T.Buffer((T.int64(2), T.int64(27)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(27)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.Cast("int32", x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d(data: T.Buffer((T.int64(1), T.int64(3), T.int64(6), T.int64(8)), "uint8"), weight: T.Buffer((T.int64(2), T.int64(3), T.int64(3), T.int64(3)), "int8"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(6)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, k0, k1, k2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(3), T.int64(3), T.int64(3), T.int64(6)):
#             with T.sblock("conv2d"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_k1, v_k2, v_ax3 = T.axis.remap("SSSRRRS", [ax0, ax1, ax2, k0, k1, k2, ax3])
#                 T.reads(data[v_ax0, v_k0, v_ax2 + v_k1, v_ax3 + v_k2], weight[v_ax1, v_k0, v_k1, v_k2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = 0
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + T.Cast("int32", data[v_ax0, v_k0, v_ax2 + v_k1, v_ax3 + v_k2]) * T.Cast("int32", weight[v_ax1, v_k0, v_k1, v_k2])
#
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d_1(data: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "int32"), weight: T.Buffer((T.int64(3), T.int64(1), T.int64(3), T.int64(3)), "int8"), out: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(3), T.int64(7), T.int64(7)), "int32")
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(7), T.int64(7)):
#             with T.sblock("T_pad"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)])
#                 T.writes(pad_temp[v_ax0, v_ax1, v_ax2, v_ax3])
#                 pad_temp[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(0) <= v_ax2 - T.int64(1) and v_ax2 - T.int64(1) < T.int64(5) and T.int64(0) <= v_ax3 - T.int64(1) and v_ax3 - T.int64(1) < T.int64(5), data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)], 0)
#         for ax0, ax1, ax2, k0, k1, k2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(5), T.int64(1), T.int64(3), T.int64(3), T.int64(5)):
#             with T.sblock("conv2d"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_k1, v_k2, v_ax3 = T.axis.remap("SSSRRRS", [ax0, ax1, ax2, k0, k1, k2, ax3])
#                 T.reads(pad_temp[v_ax0, v_ax1 + v_k0, v_ax2 + v_k1, v_ax3 + v_k2], weight[v_ax1, v_k0, v_k1, v_k2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = 0
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + pad_temp[v_ax0, v_ax1 + v_k0, v_ax2 + v_k1, v_ax3 + v_k2] * T.Cast("int32", weight[v_ax1, v_k0, v_k1, v_k2])
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply(x1: T.Buffer((T.int64(1), T.int64(2), T.int64(1), T.int64(1)), "int32"), x2: T.Buffer((), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(1), T.int64(1)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(1), T.int64(1)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2, v_ax3], x2[()])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x1[v_ax0, v_ax1, v_ax2, v_ax3] * x2[()]
#
#     @T.prim_func(private=True, s_tir=True)
#     def pad(data: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "uint8"), out: T.Buffer((T.int64(1), T.int64(3), T.int64(6), T.int64(8)), "uint8")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(6), T.int64(8)):
#             with T.sblock("T_pad"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(0) <= v_ax2 - T.int64(1) and v_ax2 - T.int64(1) < T.int64(5) and T.int64(0) <= v_ax3 - T.int64(1) and v_ax3 - T.int64(1) < T.int64(5), data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)], T.uint8(7))
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract(x1: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "int32"), out: T.Buffer((T.int64(1), T.int64(3), T.int64(5), T.int64(5)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(3), T.int64(5), T.int64(5)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x1[v_ax0, v_ax1, v_ax2, v_ax3] - 7
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract_1(x1: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(6)), "int32"), x2: T.Buffer((T.int64(1), T.int64(2), T.int64(1), T.int64(1)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(6)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(6)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2, v_ax3], x2[v_ax0, v_ax1, T.int64(0), T.int64(0)])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x1[v_ax0, v_ax1, v_ax2, v_ax3] - x2[v_ax0, v_ax1, T.int64(0), T.int64(0)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(2), T.int64(27)), "int32"), out: T.Buffer((T.int64(2), T.int64(1)), "int32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(2), T.int64(27)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0, T.int64(0)])
#                 with T.init():
#                     out[v_ax0, T.int64(0)] = 0
#                 out[v_ax0, T.int64(0)] = out[v_ax0, T.int64(0)] + x[v_ax0, v_k0]
#
#     @R.function
#     def main(x: R.Tensor((1, 3, 5, 5), dtype="uint8"), w: R.Tensor((2, 3, 3, 3), dtype="int8"), d: R.Tensor((3, 1, 3, 3), dtype="int8")) -> R.Tuple(R.Tensor((1, 2, 4, 6), dtype="int32"), R.Tensor((1, 3, 5, 5), dtype="int32")):
#         cls = Module
#         with R.dataflow():
#             lv = R.call_tir(cls.cast, (x,), out_ty=R.Tensor((1, 3, 5, 5), dtype="int32"))
#             a = R.call_tir(cls.subtract, (lv,), out_ty=R.Tensor((1, 3, 5, 5), dtype="int32"))
#             lv1: R.Tensor((2, 27), dtype="int8") = R.reshape(w, R.shape([2, 27]))
#             lv2 = R.call_tir(cls.cast_2, (lv1,), out_ty=R.Tensor((2, 27), dtype="int32"))
#             lv3 = R.call_tir(cls.sum, (lv2,), out_ty=R.Tensor((2, 1), dtype="int32"))
#             lv4: R.Tensor((1, 2, 1, 1), dtype="int32") = R.reshape(lv3, R.shape([1, 2, 1, 1]))
#             lv5: R.Tensor((), dtype="int32") = R.reshape(R.const(7, "int32"), R.shape([]))
#             lv6 = R.call_tir(cls.multiply, (lv4, lv5), out_ty=R.Tensor((1, 2, 1, 1), dtype="int32"))
#             lv7 = R.call_tir(cls.pad, (x,), out_ty=R.Tensor((1, 3, 6, 8), dtype="uint8"))
#             lv8 = R.call_tir(cls.conv2d, (lv7, w), out_ty=R.Tensor((1, 2, 4, 6), dtype="int32"))
#             whole = R.call_tir(cls.subtract_1, (lv8, lv6), out_ty=R.Tensor((1, 2, 4, 6), dtype="int32"))
#             each = R.call_tir(cls.conv2d_1, (a, d), out_ty=R.Tensor((1, 3, 5, 5), dtype="int32"))
#             R.output(whole, each)
#         return (whole, each)
