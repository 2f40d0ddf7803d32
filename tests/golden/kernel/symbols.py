# RUN: opt
# Symbols of kernels: in strings, by declarations, as parameters, as type parameters.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def strings(A: T.Buffer(("n", "n * 2"), "float32"), B: T.Buffer(("m", "n + m"), "float32")):
    m = T.int64()
    A[0, 0] = B[0, 0] + T.Cast("float32", n) + T.Cast("float32", m)


@T.prim_func(s_tir=True)
def parameters(A: T.Buffer(("k",), "float32"), k: T.int64, B: T.Buffer((k, k + 1), "float32")):
    A[0] = B[k - 1, k]


@T.prim_func(s_tir=True)
def typed[M, N: int](A: T.Buffer((M, N), "float32"), B: T.Buffer((M * N,), "float32")):
    for i, j in T.grid(*A.shape):
        B[i * N + j] = A[i, j]
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# m = TypeVar("m")
# M = TypeVar("M")
# N = TypeVar("N")
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def parameters(A: T.Buffer(("k",), "float32"), k: T.int64, B: T.Buffer((k, k + T.int64(1)), "float32")):
#         A[0] = B[k - T.int64(1), k]
#
#     @T.prim_func(s_tir=True)
#     def strings(A: T.Buffer(("n", n * 2), "float32"), B: T.Buffer((m, "T.Cast(\"int64\", n) + m"), "float32")):
#         n = T.int32()
#         A[0, 0] = B[0, 0] + T.Cast("float32", n) + T.Cast("float32", m)
#
#     @T.prim_func(s_tir=True)
#     def typed(A: T.Buffer((M, N), "float32"), B: T.Buffer(("M * N",), "float32")):
#         for i, j in T.grid(M, N):
#             B[i * N + j] = A[i, j]
