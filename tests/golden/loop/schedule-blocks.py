# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# Channels in blocks of a vector: the data is read where it lies, and what follows is computed where a sum is stored. Three blocks go one by one.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 5, 16, 8), "float32"), w: R.Tensor((32, 16, 3, 3), "float32"), v: R.Tensor((24, 32, 1, 1), "float32")):
        with R.dataflow():
            a = R.nn.conv2d(x, w, padding=[1, 1], data_layout="NCHW8c", out_layout="NCHW8c")
            b = R.nn.relu(a)
            c = R.nn.conv2d(b, v, strides=[2, 2], data_layout="NCHW8c", out_layout="NCHW8c")
            R.output(c)
        return c
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d_1(data: T.Buffer((T.int64(1), T.int64(4), T.int64(5), T.int64(16), T.int64(8)), "float32"), weight: T.Buffer((T.int64(24), T.int64(32), T.int64(1), T.int64(1)), "float32"), out: T.Buffer((T.int64(1), T.int64(3), T.int64(3), T.int64(8), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         panels = T.alloc_buffer((T.int64(3), T.int64(4), T.int64(8), T.int64(8)))
#         for og in T.parallel(T.int64(3)):
#             for ko, ki in T.grid(T.int64(4), T.int64(8)):
#                 for l in T.vectorized(T.int64(8)):
#                     panels[og, ko, ki, l] = weight[og * T.int64(8) + l, ki + ko * T.int64(8), T.int64(0), T.int64(0)]
#         for both in T.parallel(T.int64(9)):
#             acc = T.alloc_local((T.int64(8), T.int64(8)))
#             for r in T.unroll(T.int64(8)):
#                 for l in T.vectorized(T.int64(8)):
#                     acc[r, l] = T.float32(0.0)
#             for ko, ki in T.grid(T.int64(4), T.int64(8)):
#                 for r in T.unroll(T.int64(8)):
#                     for l in T.vectorized(T.int64(8)):
#                         acc[r, l] = T.fma(panels[both % T.int64(3), ko, ki, l], data[T.int64(0), ko, both // T.int64(3) * T.int64(2), r * T.int64(2), ki], acc[r, l])
#             for r in T.unroll(T.int64(8)):
#                 for l in T.vectorized(T.int64(8)):
#                     out[T.int64(0), both % T.int64(3), both // T.int64(3), r, l] = acc[r, l]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_conv2d_relu(x: T.Buffer((T.int64(1), T.int64(2), T.int64(5), T.int64(16), T.int64(8)), "float32"), w: T.Buffer((T.int64(32), T.int64(16), T.int64(3), T.int64(3)), "float32"), b: T.Buffer((T.int64(1), T.int64(4), T.int64(5), T.int64(16), T.int64(8)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
#         pad_temp = T.alloc_buffer((T.int64(1), T.int64(2), T.int64(7), T.int64(18), T.int64(8)))
#         for both in T.parallel(T.int64(14)):
#             for ax3 in range(T.int64(18)):
#                 for ax4 in T.vectorized(T.int64(8)):
#                     pad_temp[T.int64(0), both // T.int64(7), both % T.int64(7), ax3, ax4] = T.if_then_else(T.int64(0) <= both % T.int64(7) - T.int64(1) and both % T.int64(7) - T.int64(1) < T.int64(5) and T.int64(0) <= ax3 - T.int64(1) and ax3 - T.int64(1) < T.int64(16), x[T.int64(0), both // T.int64(7), both % T.int64(7) - T.int64(1), ax3 - T.int64(1), ax4], T.float32(0.0))
#         panels = T.alloc_buffer((T.int64(2), T.int64(2), T.int64(8), T.int64(3), T.int64(3), T.int64(16)))
#         for og in T.parallel(T.int64(2)):
#             for ko, ki, k1, k2, v in T.grid(T.int64(2), T.int64(8), T.int64(3), T.int64(3), T.int64(2)):
#                 for l in T.vectorized(T.int64(8)):
#                     panels[og, ko, ki, k1, k2, l + v * T.int64(8)] = w[(og * T.int64(2) + v) * T.int64(8) + l, ki + ko * T.int64(8), k1, k2]
#         for both in T.parallel(T.int64(10)):
#             for it in range(T.int64(2)):
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 for r in T.unroll(T.int64(6)):
#                     for v in T.unroll(T.int64(2)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc[r, l + v * T.int64(8)] = T.float32(0.0)
#                 for ko, ki, k1, k2 in T.grid(T.int64(2), T.int64(8), T.int64(3), T.int64(3)):
#                     for r in T.unroll(T.int64(6)):
#                         for v in T.unroll(T.int64(2)):
#                             for l in T.vectorized(T.int64(8)):
#                                 acc[r, l + v * T.int64(8)] = T.fma(panels[both % T.int64(2), ko, ki, k1, k2, l + v * T.int64(8)], pad_temp[T.int64(0), ko, both // T.int64(2) + k1, it * T.int64(6) + r + k2, ki], acc[r, l + v * T.int64(8)])
#                 for r in T.unroll(T.int64(6)):
#                     for v in T.unroll(T.int64(2)):
#                         for l in T.vectorized(T.int64(8)):
#                             b[T.int64(0), both % T.int64(2) * T.int64(2) + v, both // T.int64(2), it * T.int64(6) + r, l] = T.max(acc[r, l + v * T.int64(8)], T.float32(0.0))
#             acc_1 = T.alloc_local((T.int64(4), T.int64(16)))
#             for r in T.unroll(T.int64(4)):
#                 for v in T.unroll(T.int64(2)):
#                     for l in T.vectorized(T.int64(8)):
#                         acc_1[r, l + v * T.int64(8)] = T.float32(0.0)
#             for ko, ki, k1, k2 in T.grid(T.int64(2), T.int64(8), T.int64(3), T.int64(3)):
#                 for r in T.unroll(T.int64(4)):
#                     for v in T.unroll(T.int64(2)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc_1[r, l + v * T.int64(8)] = T.fma(panels[both % T.int64(2), ko, ki, k1, k2, l + v * T.int64(8)], pad_temp[T.int64(0), ko, both // T.int64(2) + k1, r + T.int64(12) + k2, ki], acc_1[r, l + v * T.int64(8)])
#             for r in T.unroll(T.int64(4)):
#                 for v in T.unroll(T.int64(2)):
#                     for l in T.vectorized(T.int64(8)):
#                         b[T.int64(0), both % T.int64(2) * T.int64(2) + v, both // T.int64(2), r + T.int64(12), l] = T.max(acc_1[r, l + v * T.int64(8)], T.float32(0.0))
#
#     @R.function
#     def main(x: R.Tensor((1, 2, 5, 16, 8), dtype="float32"), w: R.Tensor((32, 16, 3, 3), dtype="float32"), v: R.Tensor((24, 32, 1, 1), dtype="float32")) -> R.Tensor((1, 3, 3, 8, 8), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             b = R.call_tir(cls.fused_conv2d_relu, (x, w), out_ty=R.Tensor((1, 4, 5, 16, 8), dtype="float32"))
#             c = R.call_tir(cls.conv2d_1, (b, v), out_ty=R.Tensor((1, 3, 3, 8, 8), dtype="float32"))
#             R.output(c)
#         return c
