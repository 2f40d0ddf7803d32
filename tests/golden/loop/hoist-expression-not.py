# RUN: opt -p HoistExpression --verify-each --roundtrip-each --check-each
# What stays where it is: the text of each kernel does not change.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    # v[0] is not there if n is 0, and v[i + 1] only where the guard lets through
    @T.prim_func
    def guarded(A: T.Buffer(("n", "m"), "float32"), B: T.Buffer(("n", "m"), "float32"), v: T.Buffer(("n",), "float32")):
        n = T.int64()
        m = T.int64()
        for j in range(m):
            B[0, j] = T.exp(v[0])
        for i in range(n):
            for j in range(m):
                B[i, j] = T.if_then_else(i + T.int64(1) < n, T.exp(v[i + T.int64(1)]), A[i, j])
        for i in range(n):
            for j in range(m):
                if v[T.int64(5)] > T.float32(0):
                    B[i, j] = A[i, j]

    # the loop writes what is read
    @T.prim_func
    def written(B: T.Buffer((64,), "float32"), v: T.Buffer((4,), "float32")):
        for j in range(64):
            B[j] = T.exp(v[0])
            v[0] = B[j]
        w = T.decl_buffer((4,), "float32", data=v.data)
        for j in range(64):
            B[j] = T.exp(v[1])
            w[1] = B[j]
        for j in range(64):
            if v[2] > T.float32(0):
                v[2] = B[j]

    # other statements, or jumps
    @T.prim_func
    def jumps(B: T.Buffer((64,), "float32"), k: T.int32):
        for j in range(64):
            if k > 3:
                break
        for j in range(64):
            if k > 4:
                B[j] = T.float32(0)
            B[j] = B[j] * T.float32(2)
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
#     def guarded(A: T.Buffer((n, m), "float32"), B: T.Buffer((n, m), "float32"), v: T.Buffer((n,), "float32")):
#         for j in range(m):
#             B[0, j] = T.exp(v[0])
#         for i, j in T.grid(n, m):
#             B[i, j] = T.if_then_else(i + T.int64(1) < n, T.exp(v[i + T.int64(1)]), A[i, j])
#         for i, j in T.grid(n, m):
#             if v[T.int64(5)] > T.float32(0.0):
#                 B[i, j] = A[i, j]
#
#     @T.prim_func
#     def jumps(B: T.Buffer((64,), "float32"), k: T.int32):
#         for j in range(64):
#             if k > 3:
#                 break
#         for j in range(64):
#             if k > 4:
#                 B[j] = T.float32(0.0)
#             B[j] = B[j] * T.float32(2.0)
#
#     @T.prim_func
#     def written(B: T.Buffer((64,), "float32"), v: T.Buffer((4,), "float32")):
#         for j in range(64):
#             B[j] = T.exp(v[0])
#             v[0] = B[j]
#         w = T.decl_buffer((4,), data=v.data)
#         for j in range(64):
#             B[j] = T.exp(v[1])
#             w[1] = B[j]
#         for j in range(64):
#             if v[2] > T.float32(0.0):
#                 v[2] = B[j]
