# RUN: opt -p VectorizeLoop --verify-each --roundtrip-each --check-each
# Innermost loops that are independent and contiguous; what is marked and dependent becomes serial.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def marked(A: T.Buffer(("n", "m"), "float32"), B: T.Buffer(("n", "m"), "float32"), s: T.Buffer(("n",), "float32")):
        n = T.int64()
        m = T.int64()
        for i in range(n):
            for j in range(m):
                B[i, j] = A[i, j] * s[i]
        for i in range(n):
            for k in range(m):
                for j in T.vectorized(m):
                    B[i, j] = B[i, j] + A[i, k] * A[k, j]

    # a sum; a column; a loop around a loop; a branch
    @T.prim_func
    def kept(A: T.Buffer((64, 64), "float32"), s: T.Buffer((64,), "float32")):
        for i in range(64):
            for k in range(64):
                s[i] = s[i] + A[i, k]
        for i in range(64):
            A[i, 0] = T.float32(0)
        for i in range(64):
            if s[i] > T.float32(0):
                s[i] = T.float32(1)

    @T.prim_func
    def made_serial(s: T.Buffer((64,), "float32"), t: T.Buffer((1,), "float32")):
        for i in T.vectorized(63):
            s[i + 1] = s[i]
        for i in T.vectorized(64):
            t[0] = t[0] + s[i]
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
#     def kept(A: T.Buffer((64, 64), "float32"), s: T.Buffer((64,), "float32")):
#         for i, k in T.grid(64, 64):
#             s[i] = s[i] + A[i, k]
#         for i in range(64):
#             A[i, 0] = T.float32(0.0)
#         for i in range(64):
#             if s[i] > T.float32(0.0):
#                 s[i] = T.float32(1.0)
#
#     @T.prim_func
#     def made_serial(s: T.Buffer((64,), "float32"), t: T.Buffer((1,), "float32")):
#         for i in range(63):
#             s[i + 1] = s[i]
#         for i in range(64):
#             t[0] = t[0] + s[i]
#
#     @T.prim_func
#     def marked(A: T.Buffer((n, m), "float32"), B: T.Buffer((n, m), "float32"), s: T.Buffer((n,), "float32")):
#         for i in range(n):
#             for j in T.vectorized(m):
#                 B[i, j] = A[i, j] * s[i]
#         for i, k in T.grid(n, m):
#             for j in T.vectorized(m):
#                 B[i, j] = B[i, j] + A[i, k] * A[k, j]
