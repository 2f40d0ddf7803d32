# RUN: opt -p "ScheduleCPU(vector_bytes=16, fma=\"on\")" --verify-each --check-each
# Scratch of rows goes where that is whose elements it replaces, in rows of whole vectors; not where a row, or what comes behind, still reads these.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def replaced(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
        S = T.alloc_buffer((8, 10), "float32")
        m = T.alloc_buffer((8,), "float32")
        P = T.alloc_buffer((8, 10), "float32")
        for j, i in T.grid(10, 8):
            S[i, j] = x[i, 9 - j]
        for i in range(8):
            m[i] = T.float32(0)
            for j in range(10):
                m[i] = T.max(m[i], S[i, j])
            for j in range(10):
                P[i, j] = S[i, j] - m[i]
        for j, i in T.grid(10, 8):
            y[j, i] = P[i, j]

    # the element on the other side is read as well
    @T.prim_func
    def read_in_row(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
        S = T.alloc_buffer((8, 10), "float32")
        P = T.alloc_buffer((8, 10), "float32")
        for j, i in T.grid(10, 8):
            S[i, j] = x[i, 9 - j]
        for i in range(8):
            for j in range(10):
                P[i, j] = S[i, j] - S[i, 9 - j]
            for j in range(10):
                P[i, j] = P[i, j] + P[i, 0]
        for j, i in T.grid(10, 8):
            y[j, i] = P[i, j]

    @T.prim_func
    def read_behind(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
        S = T.alloc_buffer((8, 10), "float32")
        m = T.alloc_buffer((8,), "float32")
        P = T.alloc_buffer((8, 10), "float32")
        for j, i in T.grid(10, 8):
            S[i, j] = x[i, 9 - j]
        for i in range(8):
            m[i] = T.float32(0)
            for j in range(10):
                m[i] = T.max(m[i], S[i, j])
            for j in range(10):
                P[i, j] = S[i, j] - m[i]
        for j, i in T.grid(10, 8):
            y[j, i] = P[i, j] + S[i, j]

    # a later row reads it
    @T.prim_func
    def read_by_another(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
        S = T.alloc_buffer((8, 10), "float32")
        m = T.alloc_buffer((8,), "float32")
        P = T.alloc_buffer((8, 10), "float32")
        for j, i in T.grid(10, 8):
            S[i, j] = x[i, 9 - j]
        for i in range(8):
            m[i] = T.float32(0)
            for j in range(10):
                m[i] = T.max(m[i], S[7 - i, j])
            for j in range(10):
                P[i, j] = S[i, j] - m[i]
        for j, i in T.grid(10, 8):
            y[j, i] = P[i, j]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def read_behind(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         S = T.alloc_buffer((8, 10))
#         P = T.alloc_buffer((8, 10))
#         for j, i in T.grid(10, 8):
#             S[i, j] = x[i, 9 - j]
#         for i in range(8):
#             m = T.alloc_buffer((1,))
#             m[0] = T.float32(0.0)
#             acc = T.alloc_local((T.int64(4),))
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = T.float32("-inf")
#             for ko in range(2):
#                 for l in T.vectorized(4):
#                     acc[l] = T.max(S[i, ko * 4 + l], acc[l])
#             for l in T.vectorized(2):
#                 acc[l] = T.max(S[i, 8 + l], acc[l])
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = T.max(acc[l], acc[l + T.int64(2)])
#             m[0] = T.max(m[0], T.max(acc[T.int64(0)], acc[T.int64(1)]))
#             for j in T.vectorized(10):
#                 P[i, j] = S[i, j] - m[0]
#         for j, i in T.grid(10, 8):
#             y[j, i] = P[i, j] + S[i, j]
#
#     @T.prim_func
#     def read_by_another(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         S = T.alloc_buffer((8, 10))
#         P = T.alloc_buffer((8, 10))
#         for j, i in T.grid(10, 8):
#             S[i, j] = x[i, 9 - j]
#         for i in range(8):
#             m = T.alloc_buffer((1,))
#             m[0] = T.float32(0.0)
#             acc = T.alloc_local((T.int64(4),))
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = T.float32("-inf")
#             for ko in range(2):
#                 for l in T.vectorized(4):
#                     acc[l] = T.max(S[7 - i, ko * 4 + l], acc[l])
#             for l in T.vectorized(2):
#                 acc[l] = T.max(S[7 - i, 8 + l], acc[l])
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = T.max(acc[l], acc[l + T.int64(2)])
#             m[0] = T.max(m[0], T.max(acc[T.int64(0)], acc[T.int64(1)]))
#             for j in T.vectorized(10):
#                 P[i, j] = S[i, j] - m[0]
#         for j, i in T.grid(10, 8):
#             y[j, i] = P[i, j]
#
#     @T.prim_func
#     def read_in_row(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         S = T.alloc_buffer((8, 10))
#         P = T.alloc_buffer((8, 10))
#         for j, i in T.grid(10, 8):
#             S[i, j] = x[i, 9 - j]
#         for i in range(8):
#             for j in T.vectorized(10):
#                 P[i, j] = S[i, j] - S[i, 9 - j]
#             for j in range(10):
#                 P[i, j] = P[i, j] + P[i, 0]
#         for j, i in T.grid(10, 8):
#             y[j, i] = P[i, j]
#
#     @T.prim_func
#     def replaced(x: T.Buffer((8, 10), "float32"), y: T.Buffer((10, 8), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         S_1 = T.alloc_buffer((8, 12))
#         for j, i in T.grid(10, 8):
#             S_1[i, j] = x[i, 9 - j]
#         for i in range(8):
#             m = T.alloc_buffer((1,))
#             m[0] = T.float32(0.0)
#             acc = T.alloc_local((T.int64(4),))
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = T.float32("-inf")
#             for ko in range(2):
#                 for l in T.vectorized(4):
#                     acc[l] = T.max(S_1[i, ko * 4 + l], acc[l])
#             for l in T.vectorized(2):
#                 acc[l] = T.max(S_1[i, 8 + l], acc[l])
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = T.max(acc[l], acc[l + T.int64(2)])
#             m[0] = T.max(m[0], T.max(acc[T.int64(0)], acc[T.int64(1)]))
#             for j in T.vectorized(10):
#                 S_1[i, j] = S_1[i, j] - m[0]
#         for j, i in T.grid(10, 8):
#             y[j, i] = S_1[i, j]
