# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps
# What makes bytes wider is computed in each kernel that reads them (`b`), so that only bytes are stored; but once where it is stored anyway (`m`).
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 4, 4), "float32"), v: R.Tensor((2, 3, 1, 1), "float32"), w: R.Tensor((2, 1, 3, 3), "int32"), y: R.Tensor((1, 2, 4, 4), "int8")):
        with R.dataflow():
            f = R.nn.conv2d(x, v)
            t = R.astype(f, "uint8")
            a = R.astype(t, "int32")
            b = R.subtract(a, R.const(7, "int32"))
            c = R.nn.conv2d(b, w, padding=[1, 1, 1, 1], groups=2)
            d = R.nn.conv2d(b, w, groups=2)
            e = R.add(b, c)
            m = R.astype(y, "int32")
            n = R.sum(m)
            R.output(d, e, m, n)
        return (d, e, m, n)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), x2: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2, v_ax3], x2[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x1[v_ax0, v_ax1, v_ax2, v_ax3] + x2[v_ax0, v_ax1, v_ax2, v_ax3]
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "uint8")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = T.Cast("uint8", x[v_ax0, v_ax1, v_ax2, v_ax3])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_1(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "uint8"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = T.Cast("int32", x[v_ax0, v_ax1, v_ax2, v_ax3])
#
#     @T.prim_func(private=True, s_tir=True)
#     def cast_2(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int8"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = T.Cast("int32", x[v_ax0, v_ax1, v_ax2, v_ax3])
#
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d(data: T.Buffer((T.int64(1), T.int64(3), T.int64(4), T.int64(4)), "float32"), weight: T.Buffer((T.int64(2), T.int64(3), T.int64(1), T.int64(1)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, k0, k1, k2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(3), T.int64(1), T.int64(1), T.int64(4)):
#             with T.sblock("conv2d"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_k1, v_k2, v_ax3 = T.axis.remap("SSSRRRS", [ax0, ax1, ax2, k0, k1, k2, ax3])
#                 T.reads(data[v_ax0, v_k0, v_ax2 + v_k1, v_ax3 + v_k2], weight[v_ax1, v_k0, v_k1, v_k2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = T.float32(0.0)
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + data[v_ax0, v_k0, v_ax2 + v_k1, v_ax3 + v_k2] * weight[v_ax1, v_k0, v_k1, v_k2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d_1(data: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), weight: T.Buffer((T.int64(2), T.int64(1), T.int64(3), T.int64(3)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(2), T.int64(6), T.int64(6)), "int32")
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(6), T.int64(6)):
#             with T.sblock("T_pad"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)])
#                 T.writes(pad_temp[v_ax0, v_ax1, v_ax2, v_ax3])
#                 pad_temp[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(0) <= v_ax2 - T.int64(1) and v_ax2 - T.int64(1) < T.int64(4) and T.int64(0) <= v_ax3 - T.int64(1) and v_ax3 - T.int64(1) < T.int64(4), data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)], 0)
#         for ax0, ax1, ax2, k0, k1, k2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(1), T.int64(3), T.int64(3), T.int64(4)):
#             with T.sblock("conv2d"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_k1, v_k2, v_ax3 = T.axis.remap("SSSRRRS", [ax0, ax1, ax2, k0, k1, k2, ax3])
#                 T.reads(pad_temp[v_ax0, v_ax1 + v_k0, v_ax2 + v_k1, v_ax3 + v_k2], weight[v_ax1, v_k0, v_k1, v_k2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = 0
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + pad_temp[v_ax0, v_ax1 + v_k0, v_ax2 + v_k1, v_ax3 + v_k2] * weight[v_ax1, v_k0, v_k1, v_k2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d_2(data: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), weight: T.Buffer((T.int64(2), T.int64(1), T.int64(3), T.int64(3)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(2), T.int64(2)), "int32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, k0, k1, k2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(2), T.int64(1), T.int64(3), T.int64(3), T.int64(2)):
#             with T.sblock("conv2d"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_k1, v_k2, v_ax3 = T.axis.remap("SSSRRRS", [ax0, ax1, ax2, k0, k1, k2, ax3])
#                 T.reads(data[v_ax0, v_ax1 + v_k0, v_ax2 + v_k1, v_ax3 + v_k2], weight[v_ax1, v_k0, v_k1, v_k2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = 0
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + data[v_ax0, v_ax1 + v_k0, v_ax2 + v_k1, v_ax3 + v_k2] * weight[v_ax1, v_k0, v_k1, v_k2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def subtract(x1: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_subtract"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x1[v_ax0, v_ax1, v_ax2, v_ax3] - 7
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), out: T.Buffer((), "int32")):
#         T.func_attr({"op_pattern": 3, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for k0, k1, k2, k3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1, v_k2, v_k3 = T.axis.remap("RRRR", [k0, k1, k2, k3])
#                 T.reads(x[v_k0, v_k1, v_k2, v_k3])
#                 T.writes(out[()])
#                 with T.init():
#                     out[()] = 0
#                 out[()] = out[()] + x[v_k0, v_k1, v_k2, v_k3]
#
#     @R.function(private=True)
#     def fused_cast_1_cast_1_subtract_subtract_conv2d_1_add(t: R.Tensor((1, 2, 4, 4), dtype="uint8"), w: R.Tensor((2, 1, 3, 3), dtype="int32")) -> R.Tensor((1, 2, 4, 4), dtype="int32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.cast_1, (t,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             a_1 = R.call_tir(cls.cast_1, (t,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             b = R.call_tir(cls.subtract, (a,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             b_1 = R.call_tir(cls.subtract, (a_1,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             c = R.call_tir(cls.conv2d_1, (b_1, w), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             e = R.call_tir(cls.add, (b, c), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             R.output(e)
#         return e
#
#     @R.function(private=True)
#     def fused_cast_1_subtract_conv2d_2(t: R.Tensor((1, 2, 4, 4), dtype="uint8"), w: R.Tensor((2, 1, 3, 3), dtype="int32")) -> R.Tensor((1, 2, 2, 2), dtype="int32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.cast_1, (t,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             b = R.call_tir(cls.subtract, (a,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             d = R.call_tir(cls.conv2d_2, (b, w), out_ty=R.Tensor((1, 2, 2, 2), dtype="int32"))
#             R.output(d)
#         return d
#
#     @R.function(private=True)
#     def fused_conv2d_cast(x: R.Tensor((1, 3, 4, 4), dtype="float32"), v: R.Tensor((2, 3, 1, 1), dtype="float32")) -> R.Tensor((1, 2, 4, 4), dtype="uint8"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             f = R.call_tir(cls.conv2d, (x, v), out_ty=R.Tensor((1, 2, 4, 4), dtype="float32"))
#             t = R.call_tir(cls.cast, (f,), out_ty=R.Tensor((1, 2, 4, 4), dtype="uint8"))
#             R.output(t)
#         return t
#
#     @R.function
#     def main(x: R.Tensor((1, 3, 4, 4), dtype="float32"), v: R.Tensor((2, 3, 1, 1), dtype="float32"), w: R.Tensor((2, 1, 3, 3), dtype="int32"), y: R.Tensor((1, 2, 4, 4), dtype="int8")) -> R.Tuple(R.Tensor((1, 2, 2, 2), dtype="int32"), R.Tensor((1, 2, 4, 4), dtype="int32"), R.Tensor((1, 2, 4, 4), dtype="int32"), R.Tensor((), dtype="int32")):
#         cls = Module
#         with R.dataflow():
#             t: R.Tensor((1, 2, 4, 4), dtype="uint8") = cls.fused_conv2d_cast(x, v)
#             d: R.Tensor((1, 2, 2, 2), dtype="int32") = cls.fused_cast_1_subtract_conv2d_2(t, w)
#             e: R.Tensor((1, 2, 4, 4), dtype="int32") = cls.fused_cast_1_cast_1_subtract_subtract_conv2d_1_add(t, w)
#             m = R.call_tir(cls.cast_2, (y,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             n = R.call_tir(cls.sum, (m,), out_ty=R.Tensor((), dtype="int32"))
#             R.output(d, e, m, n)
#         return (d, e, m, n)
