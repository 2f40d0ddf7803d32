# RUN: opt -p LowerBlocks,FuseLoops,CompactBufferAllocation --verify-each --roundtrip-each --check-each
# Loops over rows become one, and what lies between them the size of a row or a number.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def softmax(A: T.Buffer(("n", 64), "float32"), B: T.Buffer(("n", 64), "float32")):
        n = T.int64()
        most = T.alloc_buffer((n,))
        e = T.alloc_buffer((n, 64))
        total = T.alloc_buffer((n,))
        for i, k in T.grid(n, 64):
            with T.sblock("most"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    most[vi] = T.min_value("float32")
                most[vi] = T.max(most[vi], A[vi, vk])
        for i, j in T.grid(n, 64):
            with T.sblock("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                e[vi, vj] = T.exp(A[vi, vj] - most[vi])
        for i, k in T.grid(n, 64):
            with T.sblock("total"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    total[vi] = T.float32(0)
                total[vi] = total[vi] + e[vi, vk]
        for i, j in T.grid(n, 64):
            with T.sblock("divide"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = e[vi, vj] / total[vi]

    # the row loop of what follows a product joins that of the product
    @T.prim_func
    def epilogue(A: T.Buffer((8, 64), "float32"), W: T.Buffer((64, 16), "float32"), b: T.Buffer((16,), "float32"), C: T.Buffer((8, 16), "float32")):
        M = T.alloc_buffer((8, 16))
        for i, k, j in T.grid(8, 64, 16):
            with T.sblock("matmul"):
                vi, vk, vj = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    M[vi, vj] = T.float32(0)
                M[vi, vj] = M[vi, vj] + A[vi, vk] * W[vk, vj]
        for i, j in T.grid(8, 16):
            with T.sblock("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.max(M[vi, vj] + b[vj], T.float32(0))

    # what lies between goes out of the way: up, since the second loop needs it, or down
    @T.prim_func
    def between(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((2,), "float32")):
        t = T.alloc_buffer((64,))
        for i in range(64):
            t[i] = A[i] * T.float32(2)
        s[0] = T.float32(3)
        s[1] = t[63]
        for i in range(64):
            B[i] = t[i] * s[0]
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
#     def between(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((2,), "float32")):
#         t = T.alloc_buffer((64,))
#         s[0] = T.float32(3.0)
#         for i in range(64):
#             t[i] = A[i] * T.float32(2.0)
#             B[i] = t[i] * s[0]
#         s[1] = t[63]
#
#     @T.prim_func(s_tir=True)
#     def epilogue(A: T.Buffer((8, 64), "float32"), W: T.Buffer((64, 16), "float32"), b: T.Buffer((16,), "float32"), C: T.Buffer((8, 16), "float32")):
#         for i in range(8):
#             M = T.alloc_buffer((1, 16))
#             for j in range(16):
#                 M[0, j] = T.float32(0.0)
#             for k, j in T.grid(64, 16):
#                 M[0, j] = M[0, j] + A[i, k] * W[k, j]
#             for j in range(16):
#                 C[i, j] = T.max(M[0, j] + b[j], T.float32(0.0))
#
#     @T.prim_func(s_tir=True)
#     def softmax(A: T.Buffer((n, 64), "float32"), B: T.Buffer((n, 64), "float32")):
#         for i in range(n):
#             most = T.alloc_buffer((T.int64(1),))
#             e = T.alloc_buffer((T.int64(1), 64))
#             total = T.alloc_buffer((T.int64(1),))
#             most[T.int64(0)] = T.float32(-340282346638528859811704183484516925440.0)
#             for k in range(64):
#                 most[T.int64(0)] = T.max(most[T.int64(0)], A[i, k])
#             for j in range(64):
#                 e[T.int64(0), j] = T.exp(A[i, j] - most[T.int64(0)])
#             total[T.int64(0)] = T.float32(0.0)
#             for k in range(64):
#                 total[T.int64(0)] = total[T.int64(0)] + e[T.int64(0), k]
#             for j in range(64):
#                 B[i, j] = e[T.int64(0), j] / total[T.int64(0)]
