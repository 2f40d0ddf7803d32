# RUN: opt -p UnrollLoop --verify-each --roundtrip-each --check-each
# Marked loops of up to 16 iterations, each copy with names of its own; others stay.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def marked(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(16):
            for u in T.unroll(4):
                t = T.alloc_buffer((1,), "float32")
                t[0] = A[i * 4 + u]
                B[i * 4 + u] = t[0] * t[0]
        for u in T.unroll(2, 4):
            for v in T.unroll(2):
                B[u * 2 + v] = T.float32(0)
        for u in T.unroll(0):
            B[0] = T.float32(5)

    # too long; of unknown length; left early; serial
    @T.prim_func
    def kept(B: T.Buffer((64,), "float32"), n: T.int32):
        for i in T.unroll(17):
            B[i] = T.float32(0)
        for i in T.unroll(n):
            B[i] = T.float32(1)
        for i in T.unroll(4):
            if B[i] > T.float32(0):
                break
        for i in range(4):
            B[i] = T.float32(2)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def kept(B: T.Buffer((64,), "float32"), n: T.int32):
#         for i in T.unroll(17):
#             B[i] = T.float32(0.0)
#         for i in T.unroll(n):
#             B[i] = T.float32(1.0)
#         for i in T.unroll(4):
#             if B[i] > T.float32(0.0):
#                 break
#         for i in range(4):
#             B[i] = T.float32(2.0)
#
#     @T.prim_func
#     def marked(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         for i in range(16):
#             t = T.alloc_buffer((1,))
#             t[0] = A[i * 4]
#             B[i * 4] = t[0] * t[0]
#             t_1 = T.alloc_buffer((1,))
#             t_1[0] = A[i * 4 + 1]
#             B[i * 4 + 1] = t_1[0] * t_1[0]
#             t_2 = T.alloc_buffer((1,))
#             t_2[0] = A[i * 4 + 2]
#             B[i * 4 + 2] = t_2[0] * t_2[0]
#             t_3 = T.alloc_buffer((1,))
#             t_3[0] = A[i * 4 + 3]
#             B[i * 4 + 3] = t_3[0] * t_3[0]
#         B[4] = T.float32(0.0)
#         B[5] = T.float32(0.0)
#         B[6] = T.float32(0.0)
#         B[7] = T.float32(0.0)
