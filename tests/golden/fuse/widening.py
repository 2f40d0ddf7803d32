# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps
# What makes bytes wider belongs to the window or sum that reads them (`a` and `b`, `e`), not to the product that makes the bytes. Not so where
# it would be computed again for each loop of the reader (`m`, of a softmax), or for each row of the other factor (`p`).
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 4, 4), "float32"), v: R.Tensor((2, 3, 1, 1), "float32"), w: R.Tensor((2, 1, 3, 3), "int32"), u: R.Tensor((2, 2, 3, 3), "int32")):
        with R.dataflow():
            f = R.nn.conv2d(x, v)
            t = R.astype(f, "uint8")
            a = R.astype(t, "int32")
            b = R.subtract(a, R.const(7, "int32"))
            c = R.nn.conv2d(b, w, padding=[1, 1, 1, 1], groups=2)
            d = R.astype(c, "uint8")
            e = R.astype(d, "float32")
            g = R.mean(e, axis=[2, 3])
            h = R.nn.conv2d(x, v)
            k = R.astype(h, "uint8")
            m = R.astype(k, "float32")
            n = R.nn.softmax(m, axis=-1)
            o = R.nn.conv2d(x, v)
            q = R.astype(o, "uint8")
            p = R.astype(q, "int32")
            r = R.nn.conv2d(p, u, padding=[1, 1, 1, 1])
            R.output(g, n, r)
        return (g, n, r)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
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
#     def cast_2(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "uint8")):
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
#     def cast_3(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "uint8"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_cast"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = T.Cast("float32", x[v_ax0, v_ax1, v_ax2, v_ax3])
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
#     def conv2d_2(data: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32"), weight: T.Buffer((T.int64(2), T.int64(2), T.int64(3), T.int64(3)), "int32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "int32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         pad_temp = T.sblock_alloc_buffer((T.int64(1), T.int64(2), T.int64(6), T.int64(6)), "int32")
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(6), T.int64(6)):
#             with T.sblock("T_pad"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)])
#                 T.writes(pad_temp[v_ax0, v_ax1, v_ax2, v_ax3])
#                 pad_temp[v_ax0, v_ax1, v_ax2, v_ax3] = T.if_then_else(T.int64(0) <= v_ax2 - T.int64(1) and v_ax2 - T.int64(1) < T.int64(4) and T.int64(0) <= v_ax3 - T.int64(1) and v_ax3 - T.int64(1) < T.int64(4), data[v_ax0, v_ax1, v_ax2 - T.int64(1), v_ax3 - T.int64(1)], 0)
#         for ax0, ax1, ax2, k0, k1, k2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(2), T.int64(3), T.int64(3), T.int64(4)):
#             with T.sblock("conv2d"):
#                 v_ax0, v_ax1, v_ax2, v_k0, v_k1, v_k2, v_ax3 = T.axis.remap("SSSRRRS", [ax0, ax1, ax2, k0, k1, k2, ax3])
#                 T.reads(pad_temp[v_ax0, v_k0, v_ax2 + v_k1, v_ax3 + v_k2], weight[v_ax1, v_k0, v_k1, v_k2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 with T.init():
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = 0
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = out[v_ax0, v_ax1, v_ax2, v_ax3] + pad_temp[v_ax0, v_k0, v_ax2 + v_k1, v_ax3 + v_k2] * weight[v_ax1, v_k0, v_k1, v_k2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def mean(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(2)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         acc = T.sblock_alloc_buffer((T.int64(1), T.int64(2)))
#         for ax0, ax1, k0, k1 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("mean_red"):
#                 v_ax0, v_ax1, v_k0, v_k1 = T.axis.remap("SSRR", [ax0, ax1, k0, k1])
#                 T.reads(x[v_ax0, v_ax1, v_k0, v_k1])
#                 T.writes(acc[v_ax0, v_ax1])
#                 with T.init():
#                     acc[v_ax0, v_ax1] = T.float32(0.0)
#                 acc[v_ax0, v_ax1] = acc[v_ax0, v_ax1] + x[v_ax0, v_ax1, v_k0, v_k1]
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(2)):
#             with T.sblock("T_mean"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(acc[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = acc[v_ax0, v_ax1] / T.float32(16.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def softmax(data: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         softmax_maxelem = T.sblock_alloc_buffer((T.int64(1), T.int64(2), T.int64(4)))
#         softmax_exp = T.sblock_alloc_buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(4)))
#         softmax_expsum = T.sblock_alloc_buffer((T.int64(1), T.int64(2), T.int64(4)))
#         for ax0, ax1, ax2, k0 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_softmax_maxelem"):
#                 v_ax0, v_ax1, v_ax2, v_k0 = T.axis.remap("SSSR", [ax0, ax1, ax2, k0])
#                 T.reads(data[v_ax0, v_ax1, v_ax2, v_k0])
#                 T.writes(softmax_maxelem[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     softmax_maxelem[v_ax0, v_ax1, v_ax2] = T.float32("-inf")
#                 softmax_maxelem[v_ax0, v_ax1, v_ax2] = T.max(softmax_maxelem[v_ax0, v_ax1, v_ax2], data[v_ax0, v_ax1, v_ax2, v_k0])
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_softmax_exp"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(data[v_ax0, v_ax1, v_ax2, v_ax3], softmax_maxelem[v_ax0, v_ax1, v_ax2])
#                 T.writes(softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3])
#                 softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3] = T.exp(data[v_ax0, v_ax1, v_ax2, v_ax3] - softmax_maxelem[v_ax0, v_ax1, v_ax2])
#         for ax0, ax1, ax2, k0 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_softmax_expsum"):
#                 v_ax0, v_ax1, v_ax2, v_k0 = T.axis.remap("SSSR", [ax0, ax1, ax2, k0])
#                 T.reads(softmax_exp[v_ax0, v_ax1, v_ax2, v_k0])
#                 T.writes(softmax_expsum[v_ax0, v_ax1, v_ax2])
#                 with T.init():
#                     softmax_expsum[v_ax0, v_ax1, v_ax2] = T.float32(0.0)
#                 softmax_expsum[v_ax0, v_ax1, v_ax2] = softmax_expsum[v_ax0, v_ax1, v_ax2] + softmax_exp[v_ax0, v_ax1, v_ax2, v_k0]
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("T_softmax_norm"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3], softmax_expsum[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = softmax_exp[v_ax0, v_ax1, v_ax2, v_ax3] * (T.float32(1.0) / softmax_expsum[v_ax0, v_ax1, v_ax2])
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
#     @R.function(private=True)
#     def fused_cast_1_subtract_conv2d_1_cast_2(t: R.Tensor((1, 2, 4, 4), dtype="uint8"), w: R.Tensor((2, 1, 3, 3), dtype="int32")) -> R.Tensor((1, 2, 4, 4), dtype="uint8"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.cast_1, (t,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             b = R.call_tir(cls.subtract, (a,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             c = R.call_tir(cls.conv2d_1, (b, w), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             d = R.call_tir(cls.cast_2, (c,), out_ty=R.Tensor((1, 2, 4, 4), dtype="uint8"))
#             R.output(d)
#         return d
#
#     @R.function(private=True)
#     def fused_cast_3_mean(d: R.Tensor((1, 2, 4, 4), dtype="uint8")) -> R.Tensor((1, 2), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             e = R.call_tir(cls.cast_3, (d,), out_ty=R.Tensor((1, 2, 4, 4), dtype="float32"))
#             g = R.call_tir(cls.mean, (e,), out_ty=R.Tensor((1, 2), dtype="float32"))
#             R.output(g)
#         return g
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
#     @R.function(private=True)
#     def fused_conv2d_cast_cast_1(x: R.Tensor((1, 3, 4, 4), dtype="float32"), v: R.Tensor((2, 3, 1, 1), dtype="float32")) -> R.Tensor((1, 2, 4, 4), dtype="int32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             o = R.call_tir(cls.conv2d, (x, v), out_ty=R.Tensor((1, 2, 4, 4), dtype="float32"))
#             q = R.call_tir(cls.cast, (o,), out_ty=R.Tensor((1, 2, 4, 4), dtype="uint8"))
#             p = R.call_tir(cls.cast_1, (q,), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             R.output(p)
#         return p
#
#     @R.function(private=True)
#     def fused_conv2d_cast_cast_3(x: R.Tensor((1, 3, 4, 4), dtype="float32"), v: R.Tensor((2, 3, 1, 1), dtype="float32")) -> R.Tensor((1, 2, 4, 4), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             h = R.call_tir(cls.conv2d, (x, v), out_ty=R.Tensor((1, 2, 4, 4), dtype="float32"))
#             k = R.call_tir(cls.cast, (h,), out_ty=R.Tensor((1, 2, 4, 4), dtype="uint8"))
#             m = R.call_tir(cls.cast_3, (k,), out_ty=R.Tensor((1, 2, 4, 4), dtype="float32"))
#             R.output(m)
#         return m
#
#     @R.function
#     def main(x: R.Tensor((1, 3, 4, 4), dtype="float32"), v: R.Tensor((2, 3, 1, 1), dtype="float32"), w: R.Tensor((2, 1, 3, 3), dtype="int32"), u: R.Tensor((2, 2, 3, 3), dtype="int32")) -> R.Tuple(R.Tensor((1, 2), dtype="float32"), R.Tensor((1, 2, 4, 4), dtype="float32"), R.Tensor((1, 2, 4, 4), dtype="int32")):
#         cls = Module
#         with R.dataflow():
#             t: R.Tensor((1, 2, 4, 4), dtype="uint8") = cls.fused_conv2d_cast(x, v)
#             d: R.Tensor((1, 2, 4, 4), dtype="uint8") = cls.fused_cast_1_subtract_conv2d_1_cast_2(t, w)
#             g: R.Tensor((1, 2), dtype="float32") = cls.fused_cast_3_mean(d)
#             m: R.Tensor((1, 2, 4, 4), dtype="float32") = cls.fused_conv2d_cast_cast_3(x, v)
#             n = R.call_tir(cls.softmax, (m,), out_ty=R.Tensor((1, 2, 4, 4), dtype="float32"))
#             p: R.Tensor((1, 2, 4, 4), dtype="int32") = cls.fused_conv2d_cast_cast_1(x, v)
#             r = R.call_tir(cls.conv2d_2, (p, u), out_ty=R.Tensor((1, 2, 4, 4), dtype="int32"))
#             R.output(g, n, r)
#         return (g, n, r)
