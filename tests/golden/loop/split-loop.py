# RUN: opt -p "SplitLoop(factor=8)" --verify-each --roundtrip-each --check-each
# Innermost serial loops in pieces of 8, guarded where their length is no multiple for certain.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def pieces(A: T.Buffer(("n", 64), "float32"), B: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            for j in range(64):
                A[i, j] = T.float32(0)
        for i in range(n):
            B[i] = T.float32(0)
        for i in range(3, 23):
            A[0, i] = T.float32(1)

    # no longer than a piece; left early; in steps; where the number of iterations may be too large to round up
    @T.prim_func
    def kept(B: T.Buffer((64,), "float32"), n: T.int32):
        for i in range(8):
            B[i] = T.float32(0)
        for i in range(64):
            if B[i] > T.float32(0):
                break
        for i in range(0, 64, 2):
            B[i] = T.float32(1)
        for i in range(n):
            B[i] = T.float32(2)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func
#     def kept(B: T.Buffer((64,), "float32"), n: T.int32):
#         for i in range(8):
#             B[i] = T.float32(0.0)
#         for i in range(64):
#             if B[i] > T.float32(0.0):
#                 break
#         for i in range(0, 64, 2):
#             B[i] = T.float32(1.0)
#         for i in range(n):
#             B[i] = T.float32(2.0)
#
#     @T.prim_func
#     def pieces(A: T.Buffer((n, 64), "float32"), B: T.Buffer((n,), "float32")):
#         for i, j_o, j_i in T.grid(n, 8, 8):
#             A[i, j_o * 8 + j_i] = T.float32(0.0)
#         for i_o, i_i in T.grid((n + T.int64(7)) // T.int64(8), T.int64(8)):
#             if i_o * T.int64(8) + i_i < n:
#                 B[i_o * T.int64(8) + i_i] = T.float32(0.0)
#         for i_o, i_i in T.grid(3, 8):
#             if i_o * 8 + i_i < 20:
#                 A[0, 3 + (i_o * 8 + i_i)] = T.float32(1.0)
