# RUN: opt -p LowerBlocks --verify-each --roundtrip-each --check-each
# Axes become their values; init goes in front of the reduction loops, guarded where these may not run.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def rows(A: T.Buffer(("n", "m"), "float32"), B: T.Buffer(("n",), "float32")):
        n = T.int64()
        m = T.int64()
        for i, k in T.grid(n, m):
            with T.sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]

    # the reduction loop is around j: init gets a loop over j of its own
    @T.prim_func
    def matmul(A: T.Buffer((8, 64), "float32"), B: T.Buffer((64, 16), "float32"), C: T.Buffer((8, 16), "float32")):
        for i, k, j in T.grid(8, 64, 16):
            with T.sblock("matmul"):
                vi, vk, vj = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    # a reduction axis of two loops is at its start where both are; T.where of other loops guards both parts
    @T.prim_func
    def split(A: T.Buffer((60, 64), "float32"), B: T.Buffer((60,), "float32")):
        for io, ii, ko, ki in T.grid(8, 8, 8, 8):
            with T.sblock("sum"):
                T.where(io * 8 + ii < 60)
                vi = T.axis.spatial(60, io * 8 + ii)
                vk = T.axis.reduce(64, ko * 8 + ki)
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]

    @T.prim_func
    def allocations(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16, 4), "float32")):
        S = T.alloc_buffer((16, 4))
        for i, j in T.grid(16, 4):
            with T.sblock("first"):
                vi, vj = T.axis.remap("SS", [i, j])
                S[vi, vj] = A[vi, vj] * A[vi, vj]
        for i in range(16):
            with T.sblock("second"):
                vi = T.axis.spatial(16, i)
                row = T.sblock_alloc_buffer((4,))
                for j in range(4):
                    row[j] = S[vi, 3 - j]
                for j in range(4):
                    B[vi, j] = row[j]

    # an axis whose value is an element is taken once
    @T.prim_func
    def gather(I: T.Buffer((4,), "int64"), B: T.Buffer((8,), "float32")):
        for i in range(4):
            with T.sblock("scatter"):
                v = T.axis.opaque(T.int64(8), I[i])
                B[v] = T.float32(1)
                I[i] = v + T.int64(1)
                B[v] = B[v] + T.float32(1)

    # rectangles, one in the other, in bounds for certain
    @T.prim_func
    def tiles(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
        for i, j in T.grid(4, 4):
            with T.sblock("tile"):
                vi, vj = T.axis.remap("SS", [i, j])
                P = T.match_buffer(A[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], (16, 16), strides=["s", 1], offset_factor=1)
                Q = T.match_buffer(B[vi * 16:vi * 16 + 16, vj * 16:vj * 16 + 16], (16, 16), offset_factor=1)
                for x in range(16):
                    with T.sblock("row"):
                        vx = T.axis.spatial(16, x)
                        R = T.match_buffer(P[vx, 0:16], (16,), offset_factor=1)
                        for y in range(16):
                            Q[y, vx] = R[y]
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
#     @T.prim_func(s_tir=True)
#     def allocations(A: T.Buffer((16, 4), "float32"), B: T.Buffer((16, 4), "float32")):
#         S = T.alloc_buffer((16, 4))
#         for i, j in T.grid(16, 4):
#             S[i, j] = A[i, j] * A[i, j]
#         for i in range(16):
#             row = T.alloc_buffer((4,))
#             for j in range(4):
#                 row[j] = S[i, 3 - j]
#             for j in range(4):
#                 B[i, j] = row[j]
#
#     @T.prim_func(s_tir=True)
#     def gather(I_1: T.Buffer((4,), "int64"), B: T.Buffer((8,), "float32")):
#         for i in range(4):
#             v: T.let[T.int64] = I_1[i]
#             B[v] = T.float32(1.0)
#             I_1[i] = v + T.int64(1)
#             B[v] = B[v] + T.float32(1.0)
#
#     @T.prim_func(s_tir=True)
#     def matmul(A: T.Buffer((8, 64), "float32"), B: T.Buffer((64, 16), "float32"), C: T.Buffer((8, 16), "float32")):
#         for i in range(8):
#             for j in range(16):
#                 C[i, j] = T.float32(0.0)
#             for k, j in T.grid(64, 16):
#                 C[i, j] = C[i, j] + A[i, k] * B[k, j]
#
#     @T.prim_func(s_tir=True)
#     def rows(A: T.Buffer((n, m), "float32"), B: T.Buffer((n,), "float32")):
#         for i in range(n):
#             if m > T.int64(0):
#                 B[i] = T.float32(0.0)
#             for k in range(m):
#                 B[i] = B[i] + A[i, k]
#
#     @T.prim_func(s_tir=True)
#     def split(A: T.Buffer((60, 64), "float32"), B: T.Buffer((60,), "float32")):
#         for io, ii in T.grid(8, 8):
#             if io * 8 + ii < 60:
#                 B[io * 8 + ii] = T.float32(0.0)
#             for ko, ki in T.grid(8, 8):
#                 if io * 8 + ii < 60:
#                     B[io * 8 + ii] = B[io * 8 + ii] + A[io * 8 + ii, ko * 8 + ki]
#
#     @T.prim_func(s_tir=True)
#     def tiles(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
#         for i, j, x, y in T.grid(4, 4, 16, 16):
#             B[i * 16 + y, j * 16 + x] = A[i * 16 + x, j * 16 + y]
