# RUN: opt -p CompactBufferAllocation --verify-each --roundtrip-each --check-each
# Allocations move into the loop that has them to itself, and shrink to what is used of them.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def rows(A: T.Buffer(("n", "m"), "float32"), B: T.Buffer(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        t = T.alloc_buffer((n, m), "float32")
        s = T.alloc_buffer((n,), "float32")
        for i in range(n):
            s[i] = T.float32(0)
            for j in range(m):
                t[i, j] = A[i, j] * A[i, j]
                s[i] = s[i] + t[i, j]
            for j in range(m):
                B[i, j] = t[i, j] / s[i]

    # blocks of 8 columns; each iteration makes all of `row` new
    @T.prim_func
    def tiles(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
        t = T.alloc_buffer((64, 64), "float32")
        row = T.alloc_buffer((8,), "float32")
        for i, jo in T.grid(64, 8):
            for ji in range(8):
                t[i, jo * 8 + ji] = A[i, jo * 8 + ji]
            for ji in range(8):
                row[ji] = t[i, jo * 8 + 7 - ji]
            for ji in range(8):
                B[i, jo * 8 + ji] = row[ji]

    # two loops use it: only its extent changes
    @T.prim_func
    def shared(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        t = T.alloc_buffer((64,), "float32")
        for i in range(8, 24):
            t[i] = A[i]
        for i in range(8):
            B[i] = t[i * 2 + 8]
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func
#     def rows(A: T.Buffer((n, m), "float32"), B: T.Buffer((n, m), "float32")):
#         for i in range(n):
#             t = T.alloc_buffer((T.int64(1), m))
#             s = T.alloc_buffer((T.int64(1),))
#             s[T.int64(0)] = T.float32(0.0)
#             for j in range(m):
#                 t[T.int64(0), j] = A[i, j] * A[i, j]
#                 s[T.int64(0)] = s[T.int64(0)] + t[T.int64(0), j]
#             for j in range(m):
#                 B[i, j] = t[T.int64(0), j] / s[T.int64(0)]
#
#     @T.prim_func
#     def shared(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         t = T.alloc_buffer((16,))
#         for i in range(8, 24):
#             t[i - 8] = A[i]
#         for i in range(8):
#             B[i] = t[i * 2]
#
#     @T.prim_func
#     def tiles(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
#         for i, jo in T.grid(64, 8):
#             t = T.alloc_buffer((1, 8))
#             row = T.alloc_buffer((8,))
#             for ji in range(8):
#                 t[0, ji] = A[i, jo * 8 + ji]
#             for ji in range(8):
#                 row[ji] = t[0, 7 - ji]
#             for ji in range(8):
#                 B[i, jo * 8 + ji] = row[ji]
