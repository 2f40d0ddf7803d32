# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU --target=x86_64 --vectors=32
# Bytes that lie in several windows are made wider once each, in a plane, also where nothing is padded; in one window each (`d`) where they are read.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 6, 10), "uint8"), w: R.Tensor((2, 1, 3, 3), "int8")):
        with R.dataflow():
            a = R.astype(x, "int32")
            b = R.subtract(a, R.const(7, "int32"))
            c = R.nn.conv2d(b, R.astype(w, "int32"), groups=2)
            e = R.astype(x, "float32")
            d = R.nn.max_pool2d(e, pool_size=[2, 2], strides=[2, 2])
            R.output(c, d)
        return (c, d)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_cast_2_max_pool2d(x: T.Buffer((T.int64(1), T.int64(2), T.int64(6), T.int64(10)), "uint8"), d: T.Buffer((T.int64(1), T.int64(2), T.int64(3), T.int64(5)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax1, ax2 in T.grid(T.int64(2), T.int64(3)):
#             acc = T.alloc_local((T.int64(4),))
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = T.float32("-inf")
#             for k0 in T.unroll(T.int64(2)):
#                 for k1 in T.unroll(T.int64(2)):
#                     for l in T.vectorized(T.int64(4)):
#                         acc[l] = T.max(acc[l], T.Cast("float32", x[T.int64(0), ax1, ax2 * T.int64(2) + k0, k1 + l * T.int64(2)]))
#             for l in T.vectorized(T.int64(4)):
#                 d[T.int64(0), ax1, ax2, l] = acc[l]
#             acc_1 = T.alloc_local((T.int64(1),))
#             acc_1[T.int64(0)] = T.float32("-inf")
#             for k0 in T.unroll(T.int64(2)):
#                 for k1 in T.unroll(T.int64(2)):
#                     acc_1[T.int64(0)] = T.max(acc_1[T.int64(0)], T.Cast("float32", x[T.int64(0), ax1, ax2 * T.int64(2) + k0, k1 + T.int64(8)]))
#             d[T.int64(0), ax1, ax2, T.int64(4)] = acc_1[T.int64(0)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_cast_subtract_conv2d(x: T.Buffer((T.int64(1), T.int64(2), T.int64(6), T.int64(10)), "uint8"), w: T.Buffer((T.int64(2), T.int64(1), T.int64(3), T.int64(3)), "int8"), c: T.Buffer((T.int64(1), T.int64(2), T.int64(4), T.int64(8)), "int32")):
#         T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax1 in range(T.int64(2)):
#             plane = T.alloc_buffer((T.int64(6), T.int64(10)))
#             for u in range(T.int64(6)):
#                 for v in T.vectorized(T.int64(10)):
#                     plane[u, v] = T.Cast("float32", T.Cast("int32", x[T.int64(0), ax1, u, v]) - 7)
#             for ax2, jt in T.grid(T.int64(4), T.int64(2)):
#                 acc = T.alloc_local((T.int64(4),))
#                 for l in T.vectorized(T.int64(4)):
#                     acc[l] = T.float32(12582912.0)
#                 for k1 in T.unroll(T.int64(3)):
#                     for k2 in T.unroll(T.int64(3)):
#                         for l in T.vectorized(T.int64(4)):
#                             acc[l] = acc[l] + plane[ax2 + k1, jt * T.int64(4) + l + k2] * T.Cast("float32", T.Cast("int32", w[ax1, T.int64(0), k1, k2]))
#                 for l in T.vectorized(T.int64(4)):
#                     c[T.int64(0), ax1, ax2, jt * T.int64(4) + l] = T.reinterpret("int32", acc[l]) - 1262485504
#
#     @R.function
#     def main(x: R.Tensor((1, 2, 6, 10), dtype="uint8"), w: R.Tensor((2, 1, 3, 3), dtype="int8")) -> R.Tuple(R.Tensor((1, 2, 4, 8), dtype="int32"), R.Tensor((1, 2, 3, 5), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             c = R.call_tir(cls.fused_cast_subtract_conv2d, (x, w), out_ty=R.Tensor((1, 2, 4, 8), dtype="int32"))
#             d = R.call_tir(cls.fused_cast_2_max_pool2d, (x,), out_ty=R.Tensor((1, 2, 3, 5), dtype="float32"))
#             R.output(c, d)
#         return (c, d)
