# RUN: opt -p Simplify --verify-each --roundtrip-each --check-each
# Indices and conditions under the ranges of loops; loops that run once or never; stores that nobody sees.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def indices(A: T.Buffer((64,), "float32"), B: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            B[(i * 8 + j) // 8, (i * 8 + j) % 8] = A[(i * 8 + j) % 64 + 0 * i]

    @T.prim_func
    def conditions(A: T.Buffer(("n",), "float32"), B: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            if i < n and i >= T.int64(0):
                B[i] = T.if_then_else(i < n + T.int64(1), A[i], T.float32(0))
            else:
                B[i] = T.float32(1)
            if i > n:
                B[i] = T.float32(2)
            if i + T.int64(1) < n or n <= i:
                B[i] = T.float32(3)

    @T.prim_func
    def loops(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(3, 4):
            for j in range(8):
                B[j] = A[j] * T.Cast("float32", i)
        for i in range(0):
            B[0] = T.float32(1)
        for i in range(8):
            pass
        for i in range(8):
            B[i] = B[i]
            T.evaluate(0)

    @T.prim_func
    def dead(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        t = T.alloc_buffer((8,), "float32")
        for i in range(8):
            t[i] = A[i]
            B[i] = A[i]
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
#     def conditions(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
#         for i in range(n):
#             B[i] = A[i]
#             if i + T.int64(1) < n:
#                 B[i] = T.float32(3.0)
#
#     @T.prim_func
#     def dead(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
#         for i in range(8):
#             B[i] = A[i]
#
#     @T.prim_func
#     def indices(A: T.Buffer((64,), "float32"), B: T.Buffer((8, 8), "float32")):
#         for i, j in T.grid(8, 8):
#             B[i, j] = A[i * 8 + j]
#
#     @T.prim_func
#     def loops(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
#         for j in range(8):
#             B[j] = A[j] * T.Cast("float32", 3)
