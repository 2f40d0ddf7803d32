# RUN: opt -p LoopPartition --verify-each --roundtrip-each --check-each
# The main part of a tiled loop and of a padded row loses its condition; every iteration still runs once.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def tail(A: T.Buffer(("n",), "float32"), B: T.Buffer(("n",), "float32")):
        n = T.int64()
        for o, i in T.grid((n + T.int64(7)) // T.int64(8), T.int64(8)):
            if T.likely(o * T.int64(8) + i < n):
                B[o * T.int64(8) + i] = A[o * T.int64(8) + i]

    @T.prim_func
    def padded(A: T.Buffer((62,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(64):
            B[i] = T.if_then_else(1 <= i and i < 63, A[i - 1], T.float32(0))

    # downwards, from 3 on
    @T.prim_func
    def mirrored(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(3, 20):
            if 30 - 2 * i >= 0:
                B[i] = A[30 - 2 * i]
            else:
                B[i] = T.float32(1)
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
#     def mirrored(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         for i in range(3, 16):
#             B[i] = A[30 - 2 * i]
#         for i in range(16, 20):
#             B[i] = T.float32(1.0)
#
#     @T.prim_func
#     def padded(A: T.Buffer((62,), "float32"), B: T.Buffer((64,), "float32")):
#         B[0] = T.float32(0.0)
#         for i in range(1, 63):
#             B[i] = A[i - 1]
#         B[63] = T.float32(0.0)
#
#     @T.prim_func
#     def tail(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
#         for o, i in T.grid(n // T.int64(8), T.int64(8)):
#             B[o * T.int64(8) + i] = A[o * T.int64(8) + i]
#         for o in range(n // T.int64(8), n // T.int64(8) + ((n + T.int64(7)) // T.int64(8) - n // T.int64(8))):
#             for i in range(T.int64(8)):
#                 if T.likely(o * T.int64(8) + i < n):
#                     B[o * T.int64(8) + i] = A[o * T.int64(8) + i]
