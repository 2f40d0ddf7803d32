# RUN: opt --vectors=32 -p ScheduleCPU(fma="on")
# A depthwise window stays in registers; what lies outside is decided once for each element of the data; the last seven
# columns are computed as eight.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def depthwise(x: T.Buffer((4, 6, 15), "float32"), w: T.Buffer((4, 3, 3), "float32"), y: T.Buffer((4, 6, 15), "float32")):
        for c, i in T.grid(4, 6):
            for j in range(15):
                y[c, i, j] = T.float32(0)
            for k, l, j in T.grid(3, 3, 15):
                y[c, i, j] = y[c, i, j] + T.if_then_else(1 <= i + k and i + k < 7 and 1 <= j + l and j + l < 16, x[c, i + k - 1, j + l - 1], T.float32(0)) * w[c, k, l]

    @R.function
    def main(x: R.Tensor((4, 6, 15), "float32"), w: R.Tensor((4, 3, 3), "float32")):
        cls = Module
        y = R.call_tir(cls.depthwise, (x, w), out_ty=R.Tensor((4, 6, 15), "float32"))
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def depthwise(x: T.Buffer((4, 6, 15), "float32"), w: T.Buffer((4, 3, 3), "float32"), y: T.Buffer((4, 6, 15), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for c in T.parallel(4):
#             plane = T.alloc_buffer((T.int64(8), T.int64(18)))
#             for u in range(8):
#                 if 1 <= u and u < 7:
#                     for v in T.vectorized(17):
#                         plane[u, v] = T.if_then_else(1 <= v and v < 16, x[c, u - 1, v - 1], T.float32(0.0))
#                 else:
#                     for v in T.vectorized(17):
#                         plane[u, v] = T.float32(0.0)
#                 plane[u, 17] = T.float32(0.0)
#             for i in range(6):
#                 acc = T.alloc_local((T.int64(8),))
#                 for l in T.vectorized(8):
#                     acc[l] = T.float32(0.0)
#                 for k in T.unroll(3):
#                     for l in T.unroll(3):
#                         for l_1 in T.vectorized(8):
#                             acc[l_1] = T.fma(plane[i + k, l + l_1], w[c, k, l], acc[l_1])
#                 for l in T.vectorized(8):
#                     y[c, i, l] = acc[l]
#                 acc_1 = T.alloc_local((T.int64(8),))
#                 for l in T.vectorized(8):
#                     acc_1[l] = T.float32(0.0)
#                 for k in T.unroll(3):
#                     for l in T.unroll(3):
#                         for l_1 in T.vectorized(8):
#                             acc_1[l_1] = T.fma(plane[i + k, l_1 + 8 + l], w[c, k, l], acc_1[l_1])
#                 for l in T.vectorized(7):
#                     y[c, i, l + 8] = acc_1[l]
#
#     @R.function
#     def main(x: R.Tensor((4, 6, 15), dtype="float32"), w: R.Tensor((4, 3, 3), dtype="float32")) -> R.Tensor((4, 6, 15), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.depthwise, (x, w), out_ty=R.Tensor((4, 6, 15), dtype="float32"))
#         return y
