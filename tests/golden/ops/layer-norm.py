# RUN: opt -p LegalizeOps
# One reciprocal for each row, and a product for each element; of rms_norm a quotient.
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), g: R.Tensor((3,), "float32"), b: R.Tensor((3,), "float32")):
        with R.dataflow():
            y = R.nn.layer_norm(x, g, b, axes=[-1])
            z = R.nn.rms_norm(y, g)
            R.output(z)
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def layer_norm(data: T.Buffer((T.int64(2), T.int64(3)), "float32"), gamma: T.Buffer((T.int64(3),), "float32"), beta: T.Buffer((T.int64(3),), "float32"), out: T.Buffer((T.int64(2), T.int64(3)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         sum = T.sblock_alloc_buffer((T.int64(2),))
#         mean = T.sblock_alloc_buffer((T.int64(2),))
#         squares = T.sblock_alloc_buffer((T.int64(2),))
#         variance = T.sblock_alloc_buffer((T.int64(2),))
#         for ax0, k0 in T.grid(T.int64(2), T.int64(3)):
#             with T.sblock("T_sum"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(data[v_ax0, v_k0])
#                 T.writes(sum[v_ax0])
#                 with T.init():
#                     sum[v_ax0] = T.float32(0.0)
#                 sum[v_ax0] = sum[v_ax0] + data[v_ax0, v_k0]
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_mean"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(sum[v_ax0])
#                 T.writes(mean[v_ax0])
#                 mean[v_ax0] = sum[v_ax0] / T.float32(3.0)
#         for ax0, k0 in T.grid(T.int64(2), T.int64(3)):
#             with T.sblock("T_squares"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(data[v_ax0, v_k0], mean[v_ax0])
#                 T.writes(squares[v_ax0])
#                 with T.init():
#                     squares[v_ax0] = T.float32(0.0)
#                 squares[v_ax0] = squares[v_ax0] + (data[v_ax0, v_k0] - mean[v_ax0]) * (data[v_ax0, v_k0] - mean[v_ax0])
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_variance"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(squares[v_ax0])
#                 T.writes(variance[v_ax0])
#                 variance[v_ax0] = squares[v_ax0] / T.float32(3.0)
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
#             with T.sblock("T_layer_norm"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(data[v_ax0, v_ax1], mean[v_ax0], variance[v_ax0], gamma[v_ax1], beta[v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = (data[v_ax0, v_ax1] - mean[v_ax0]) * (T.float32(1.0) / T.sqrt(variance[v_ax0] + T.float32(1.0000000000000001e-05))) * gamma[v_ax1] + beta[v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def rms_norm(data: T.Buffer((T.int64(2), T.int64(3)), "float32"), weight: T.Buffer((T.int64(3),), "float32"), out: T.Buffer((T.int64(2), T.int64(3)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         squares = T.sblock_alloc_buffer((T.int64(2),))
#         mean_square = T.sblock_alloc_buffer((T.int64(2),))
#         for ax0, k0 in T.grid(T.int64(2), T.int64(3)):
#             with T.sblock("T_squares"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(data[v_ax0, v_k0])
#                 T.writes(squares[v_ax0])
#                 with T.init():
#                     squares[v_ax0] = T.float32(0.0)
#                 squares[v_ax0] = squares[v_ax0] + data[v_ax0, v_k0] * data[v_ax0, v_k0]
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_mean_square"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(squares[v_ax0])
#                 T.writes(mean_square[v_ax0])
#                 mean_square[v_ax0] = squares[v_ax0] / T.float32(3.0)
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(3)):
#             with T.sblock("T_rms_norm"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(data[v_ax0, v_ax1], mean_square[v_ax0], weight[v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = data[v_ax0, v_ax1] / T.sqrt(mean_square[v_ax0] + T.float32(1.0000000000000001e-05)) * weight[v_ax1]
#
#     @R.function
#     def main(x: R.Tensor((2, 3), dtype="float32"), g: R.Tensor((3,), dtype="float32"), b: R.Tensor((3,), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             y = R.call_tir(cls.layer_norm, (x, g, b), out_ty=R.Tensor((2, 3), dtype="float32"))
#             z = R.call_tir(cls.rms_norm, (y, g), out_ty=R.Tensor((2, 3), dtype="float32"))
#             R.output(z)
#         return z
