# RUN: opt
# The dialect of TVM 0.16 to 0.23 means the same as the newer one, in which it prints.
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def matmul(var_A: T.handle, var_B: T.handle, var_C: T.handle):
        T.func_attr({"global_symbol": "matmul", "tir.noalias": T.bool(True)})
        n = T.int64()
        A = T.match_buffer(var_A, (n, 16), "float32")
        B = T.match_buffer(var_B, [16, 16])
        C = T.match_buffer(var_C, (n, T.int64(16)), "float32", offset_factor=1)
        D = T.alloc_buffer([n, 16], dtype="float32")
        for i, j, k in T.grid(n, 16, 16):
            with T.block("D"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    D[vi, vj] = T.float32(0)
                D[vi, vj] = D[vi, vj] + A[vi, vk] * B[vk, vj]
        for i, j in T.grid(n, 16):
            with T.block("C"):
                T.block_attr({"key": T.int64(1)})
                vi = T.axis.S(n, i)
                vj = T.axis.S(16, j)
                x = D[vi, vj]
                C[vi, vj] = T.max(x, 0)

    @T.prim_func
    def flat(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
        p = T.allocate([64], "int32", "global")
        P = T.decl_buffer((64,), "int32", data=p)
        for i in T.serial(64):
            with T.LetStmt(A[i] + 1) as y:
                P[i] = y
        for i in T.vectorized(64):
            B[i] = P[i]
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def flat(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
#         p = T.alloc_buffer((64,), "int32")
#         P = T.decl_buffer((64,), "int32", data=p.data)
#         for i in range(64):
#             y: T.let[T.int32] = A[i] + 1
#             P[i] = y
#         for i in T.vectorized(64):
#             B[i] = P[i]
#
#     @T.prim_func(s_tir=True)
#     def matmul(A: T.Buffer((n, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((n, T.int64(16)), "float32", offset_factor=1)):
#         T.func_attr({"tir.noalias": True})
#         # with T.sblock("root"):
#         D = T.sblock_alloc_buffer((n, 16))
#         for i, j, k in T.grid(n, 16, 16):
#             with T.sblock("D"):
#                 vi, vj, vk = T.axis.remap("SSR", [i, j, k])
#                 T.reads(A[vi, vk], B[vk, vj])
#                 T.writes(D[vi, vj])
#                 with T.init():
#                     D[vi, vj] = T.float32(0.0)
#                 D[vi, vj] = D[vi, vj] + A[vi, vk] * B[vk, vj]
#         for i, j in T.grid(n, 16):
#             with T.sblock("C"):
#                 vi, vj = T.axis.remap("SS", [i, j])
#                 T.reads(D[vi, vj])
#                 T.writes(C[vi, vj])
#                 T.sblock_attr({"key": T.int64(1)})
#                 x: T.let[T.float32] = D[vi, vj]
#                 C[vi, vj] = T.max(x, T.float32(0.0))
