# RUN: opt --vectors=32 -p ScheduleCPU(fma="on") --verify-each --roundtrip-each --check-each
# A depthwise window of bytes: sums that stay within 2**22 are added as floats, on top of 1.5 * 2**23, whose bits are
# taken away at the end.  Those of int32, in the second kernel, may be anything, and stay integers.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def bytes(x: T.Buffer((4, 6, 16), "uint8"), w: T.Buffer((4, 3, 3), "int8"), z: T.Buffer((), "uint8"), y: T.Buffer((4, 6, 16), "int32")):
        for c, i in T.grid(4, 6):
            for j in range(16):
                y[c, i, j] = 0
            for k, l, j in T.grid(3, 3, 16):
                y[c, i, j] = y[c, i, j] + T.if_then_else(1 <= i + k and i + k < 7 and 1 <= j + l and j + l < 17, T.Cast("int32", x[c, i + k - 1, j + l - 1]) - T.Cast("int32", z[()]), 0) * T.Cast("int32", w[c, k, l])

    @T.prim_func
    def integers(x: T.Buffer((4, 6, 16), "uint8"), w: T.Buffer((4, 3, 3), "int32"), y: T.Buffer((4, 6, 16), "int32")):
        for c, i in T.grid(4, 6):
            for j in range(16):
                y[c, i, j] = 0
            for k, l, j in T.grid(3, 3, 16):
                y[c, i, j] = y[c, i, j] + T.if_then_else(1 <= i + k and i + k < 7 and 1 <= j + l and j + l < 17, T.Cast("int32", x[c, i + k - 1, j + l - 1]), 0) * w[c, k, l]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def bytes(x: T.Buffer((4, 6, 16), "uint8"), w: T.Buffer((4, 3, 3), "int8"), z: T.Buffer((), "uint8"), y: T.Buffer((4, 6, 16), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for c in T.parallel(4):
#             plane = T.alloc_buffer((T.int64(8), T.int64(18)))
#             for u in range(8):
#                 if 1 <= u and u < 7:
#                     for v in T.vectorized(18):
#                         plane[u, v] = T.if_then_else(1 <= v and v < 17, T.Cast("float32", T.Cast("int32", x[c, u - 1, v - 1]) - T.Cast("int32", z[()])), T.float32(0.0))
#                 else:
#                     for v in T.vectorized(18):
#                         plane[u, v] = T.float32(0.0)
#             for i, jt in T.grid(6, 2):
#                 acc = T.alloc_local((T.int64(8),))
#                 for l in T.vectorized(8):
#                     acc[l] = T.float32(12582912.0)
#                 for k in T.unroll(3):
#                     for l in T.unroll(3):
#                         for l_1 in T.vectorized(8):
#                             acc[l_1] = T.fma(plane[i + k, jt * 8 + l_1 + l], T.Cast("float32", T.Cast("int32", w[c, k, l])), acc[l_1])
#                 for l in T.vectorized(8):
#                     y[c, i, jt * 8 + l] = T.reinterpret("int32", acc[l]) - 1262485504
#
#     @T.prim_func
#     def integers(x: T.Buffer((4, 6, 16), "uint8"), w: T.Buffer((4, 3, 3), "int32"), y: T.Buffer((4, 6, 16), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for c in T.parallel(4):
#             plane = T.alloc_buffer((T.int64(8), T.int64(18)), "int32")
#             for u in range(8):
#                 if 1 <= u and u < 7:
#                     for v in T.vectorized(18):
#                         plane[u, v] = T.if_then_else(1 <= v and v < 17, T.Cast("int32", x[c, u - 1, v - 1]), 0)
#                 else:
#                     for v in T.vectorized(18):
#                         plane[u, v] = 0
#             for i, jt in T.grid(6, 2):
#                 acc = T.alloc_local((T.int64(8),), "int32")
#                 for l in T.vectorized(8):
#                     acc[l] = 0
#                 for k in T.unroll(3):
#                     for l in T.unroll(3):
#                         for l_1 in T.vectorized(8):
#                             acc[l_1] = acc[l_1] + plane[i + k, jt * 8 + l_1 + l] * w[c, k, l]
#                 for l in T.vectorized(8):
#                     y[c, i, jt * 8 + l] = acc[l]
