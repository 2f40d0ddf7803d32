# RUN: opt -p FuseLoops --verify-each --roundtrip-each --check-each
# Loops that stay apart: the text of each kernel does not change.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    # the second loop reads what later iterations of the first write
    @T.prim_func
    def reversed(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(64):
            A[i] = A[i] * T.float32(2)
        for i in range(64):
            B[i] = A[63 - i]

    # the second loop overwrites what later iterations of the first read
    @T.prim_func
    def overwritten(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(63):
            B[i] = A[i]
        for i in range(63):
            A[i + 1] = T.float32(0)

    # a sum that all of the second loop needs
    @T.prim_func
    def total(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
        for i in range(64):
            s[0] = s[0] + A[i]
        for i in range(64):
            B[i] = A[i] / s[0]

    # the first can run on vectors, the second cannot
    @T.prim_func
    def vectors(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
        for i in range(64):
            B[i] = T.exp(A[i])
        for i in range(64):
            s[0] = s[0] + B[i]

    # independent each, but not together: iteration i of the second reads what iteration i - 1 of the first wrote
    @T.prim_func
    def neighbours(A: T.Buffer((65,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(64):
            A[i + 1] = A[i + 1] * T.float32(2)
        for i in range(64):
            B[i] = A[i]

    # other ranges; nothing in common
    @T.prim_func
    def unlike(A: T.Buffer(("n",), "float32"), B: T.Buffer(("m",), "float32"), C: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32")):
        n = T.int64()
        m = T.int64()
        for i in range(n):
            A[i] = T.float32(1)
        for i in range(m):
            B[i] = T.float32(1)
        for i in range(8):
            C[i] = T.float32(1)
        for i in range(8):
            D[i] = T.float32(1)

    # the store between can go neither up nor down
    @T.prim_func
    def between(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
        for i in range(64):
            A[i] = A[i] * T.float32(2)
        s[0] = A[63]
        for i in range(64):
            B[i] = A[i] * s[0]

    # through another look at the storage, as another dtype
    @T.prim_func
    def looks(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        R = T.decl_buffer((64,), "int32", data=A.data)
        for i in range(64):
            A[i] = A[i] * T.float32(2)
        for i in range(64):
            B[i] = T.reinterpret("float32", R[i]) + A[i]

    # a loop that may end early, and an assertion
    @T.prim_func
    def effects(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(64):
            if A[i] > T.float32(0):
                break
            A[i] = T.float32(1)
        for i in range(64):
            B[i] = A[i]
        assert B[0] > T.float32(0), "positive"
        for i in range(64):
            A[i] = B[i]
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
#     def between(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
#         for i in range(64):
#             A[i] = A[i] * T.float32(2.0)
#         s[0] = A[63]
#         for i in range(64):
#             B[i] = A[i] * s[0]
#
#     @T.prim_func
#     def effects(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         for i in range(64):
#             if A[i] > T.float32(0.0):
#                 break
#             A[i] = T.float32(1.0)
#         for i in range(64):
#             B[i] = A[i]
#         assert B[0] > T.float32(0.0), "positive"
#         for i in range(64):
#             A[i] = B[i]
#
#     @T.prim_func
#     def looks(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         R_1 = T.decl_buffer((64,), "int32", data=A.data)
#         for i in range(64):
#             A[i] = A[i] * T.float32(2.0)
#         for i in range(64):
#             B[i] = T.reinterpret("float32", R_1[i]) + A[i]
#
#     @T.prim_func
#     def neighbours(A: T.Buffer((65,), "float32"), B: T.Buffer((64,), "float32")):
#         for i in range(64):
#             A[i + 1] = A[i + 1] * T.float32(2.0)
#         for i in range(64):
#             B[i] = A[i]
#
#     @T.prim_func
#     def overwritten(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         for i in range(63):
#             B[i] = A[i]
#         for i in range(63):
#             A[i + 1] = T.float32(0.0)
#
#     @T.prim_func
#     def reversed(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         for i in range(64):
#             A[i] = A[i] * T.float32(2.0)
#         for i in range(64):
#             B[i] = A[63 - i]
#
#     @T.prim_func
#     def total(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
#         for i in range(64):
#             s[0] = s[0] + A[i]
#         for i in range(64):
#             B[i] = A[i] / s[0]
#
#     @T.prim_func
#     def unlike(A: T.Buffer((n,), "float32"), B: T.Buffer((m,), "float32"), C: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32")):
#         for i in range(n):
#             A[i] = T.float32(1.0)
#         for i in range(m):
#             B[i] = T.float32(1.0)
#         for i in range(8):
#             C[i] = T.float32(1.0)
#         for i in range(8):
#             D[i] = T.float32(1.0)
#
#     @T.prim_func
#     def vectors(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
#         for i in range(64):
#             B[i] = T.exp(A[i])
#         for i in range(64):
#             s[0] = s[0] + B[i]
