# RUN: opt -p HoistExpression --verify-each --roundtrip-each --check-each
# Values and conditions that are the same in all iterations, as far out as they may go.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def values(A: T.Buffer(("n", 64), "float32"), B: T.Buffer(("n", 64), "float32"), v: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            for j in range(64):
                B[i, j] = A[i, j] / T.sqrt(v[i] + T.float32(1)) + T.exp(T.float32(2)) * T.sqrt(v[i] + T.float32(1))

    @T.prim_func
    def conditions(A: T.Buffer(("n", 64), "float32"), B: T.Buffer(("n", 64), "float32"), k: T.int64):
        n = T.int64()
        for i in range(n):
            for j in range(64):
                if k > i:
                    B[i, j] = A[i, j]
                else:
                    if k > T.int64(0):
                        B[i, j] = T.float32(0)
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
#     def conditions(A: T.Buffer((n, 64), "float32"), B: T.Buffer((n, 64), "float32"), k: T.int64):
#         for i in range(n):
#             if k > i:
#                 for j in range(64):
#                     B[i, j] = A[i, j]
#             else:
#                 if k > T.int64(0):
#                     for j in range(64):
#                         B[i, j] = T.float32(0.0)
#
#     @T.prim_func
#     def values(A: T.Buffer((n, 64), "float32"), B: T.Buffer((n, 64), "float32"), v: T.Buffer((n,), "float32")):
#         t: T.let[T.float32] = T.exp(T.float32(2.0))
#         for i in range(n):
#             t_1: T.let[T.float32] = T.sqrt(v[i] + T.float32(1.0))
#             t_2: T.let[T.float32] = t * t_1
#             for j in range(64):
#                 B[i, j] = A[i, j] / t_1 + t_2
