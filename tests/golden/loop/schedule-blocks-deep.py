# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# Each channel by itself, in blocks: what is outside is asked once for a vector, and weights are packed.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 5, 9, 8), "float32"), w: R.Tensor((16, 1, 3, 3), "float32")):
        with R.dataflow():
            a = R.nn.conv2d(x, w, padding=[1, 1], groups=16, data_layout="NCHW8c", out_layout="NCHW8c")
            b = R.nn.max_pool2d(a, pool_size=[3, 3], strides=[2, 2], padding=[1, 1], layout="NCHW8c")
            R.output(b)
        return b
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d(data: T.Buffer((T.int64(1), T.int64(2), T.int64(5), T.int64(9), T.int64(8)), "float32"), weight: T.Buffer((T.int64(16), T.int64(1), T.int64(3), T.int64(3)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(5), T.int64(9), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax1 in T.parallel(T.int64(2)):
#             pad_temp = T.alloc_buffer((T.int64(1), T.int64(1), T.int64(7), T.int64(11), T.int64(8)))
#             packed = T.alloc_buffer((T.int64(1), T.int64(3), T.int64(3), T.int64(8)))
#             for ax2, ax3 in T.grid(T.int64(7), T.int64(11)):
#                 for ax4 in T.vectorized(T.int64(8)):
#                     pad_temp[T.int64(0), T.int64(0), ax2, ax3, ax4] = T.if_then_else(T.int64(0) <= ax2 - T.int64(1) and ax2 - T.int64(1) < T.int64(5) and T.int64(0) <= ax3 - T.int64(1) and ax3 - T.int64(1) < T.int64(9), data[T.int64(0), ax1, ax2 - T.int64(1), ax3 - T.int64(1), ax4], T.float32(0.0))
#             for k1, k2 in T.grid(T.int64(3), T.int64(3)):
#                 for ax4 in T.vectorized(T.int64(8)):
#                     packed[T.int64(0), k1, k2, ax4] = weight[ax1 * T.int64(8) + ax4, T.int64(0), k1, k2]
#             for ax2, ax3 in T.grid(T.int64(5), T.int64(9)):
#                 acc = T.alloc_local((T.int64(8),))
#                 for l in T.vectorized(T.int64(8)):
#                     acc[l] = T.float32(0.0)
#                 for k1 in T.unroll(T.int64(3)):
#                     for k2 in T.unroll(T.int64(3)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc[l] = T.fma(pad_temp[T.int64(0), T.int64(0), ax2 + k1, ax3 + k2, l], packed[T.int64(0), k1, k2, l], acc[l])
#                 for l in T.vectorized(T.int64(8)):
#                     out[T.int64(0), ax1, ax2, ax3, l] = acc[l]
#
#     @T.prim_func(private=True, s_tir=True)
#     def max_pool2d(data: T.Buffer((T.int64(1), T.int64(2), T.int64(5), T.int64(9), T.int64(8)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(3), T.int64(5), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax1 in T.parallel(T.int64(2)):
#             plane = T.alloc_buffer((T.int64(7), T.int64(11), T.int64(8)))
#             for u, v in T.grid(T.int64(7), T.int64(11)):
#                 for l in T.vectorized(T.int64(8)):
#                     plane[u, v, l] = T.if_then_else(T.int64(0) <= u - T.int64(1) and u - T.int64(1) < T.int64(5) and T.int64(0) <= v - T.int64(1) and v - T.int64(1) < T.int64(9), data[T.int64(0), ax1, u - T.int64(1), v - T.int64(1), l], T.float32("-inf"))
#             for ax2, ax3 in T.grid(T.int64(3), T.int64(5)):
#                 acc = T.alloc_local((T.int64(8),))
#                 for l in T.vectorized(T.int64(8)):
#                     acc[l] = T.float32("-inf")
#                 for k0 in T.unroll(T.int64(3)):
#                     for k1 in T.unroll(T.int64(3)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc[l] = T.max(acc[l], plane[ax2 * T.int64(2) + k0, ax3 * T.int64(2) + k1, l])
#                 for l in T.vectorized(T.int64(8)):
#                     out[T.int64(0), ax1, ax2, ax3, l] = acc[l]
#
#     @R.function
#     def main(x: R.Tensor((1, 2, 5, 9, 8), dtype="float32"), w: R.Tensor((16, 1, 3, 3), dtype="float32")) -> R.Tensor((1, 2, 3, 5, 8), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.conv2d, (x, w), out_ty=R.Tensor((1, 2, 5, 9, 8), dtype="float32"))
#             b = R.call_tir(cls.max_pool2d, (a,), out_ty=R.Tensor((1, 2, 3, 5, 8), dtype="float32"))
#             R.output(b)
#         return b
