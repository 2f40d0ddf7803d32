# RUN: opt -p ScheduleCPU(vector_bytes=32) --verify-each --roundtrip-each --check-each
# Sums over several axes keep their accumulators through both loops, however short the inner one is. A sum of everything is cut into
# parts of a fixed size, which are added in their order; column sums are cut by columns, each summed in the order of the text. Sums of
# two elements, and sums in 16 bits, stay.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def pooled(x: T.Buffer((T.int64(5), T.int64(14), T.int64(14)), "float32"), y: T.Buffer((T.int64(5),), "float32")):
        for i, j, k in T.grid(T.int64(5), T.int64(14), T.int64(14)):
            y[i] = y[i] + x[i, j, k]

    @T.prim_func
    def everything(x: T.Buffer((T.int64(300), T.int64(512)), "int32"), y: T.Buffer((), "int32")):
        for i, j in T.grid(T.int64(300), T.int64(512)):
            y[()] = y[()] + x[i, j]

    @T.prim_func
    def columns(x: T.Buffer((T.int64(300), T.int64(600)), "float32"), y: T.Buffer((T.int64(600),), "float32")):
        for i, j in T.grid(T.int64(300), T.int64(600)):
            y[j] = y[j] + x[i, j]

    @T.prim_func
    def pairs(x: T.Buffer((T.int64(90), T.int64(2)), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        for i, j in T.grid(T.int64(90), T.int64(2)):
            y[T.int64(0)] = y[T.int64(0)] + x[i, j]

    @T.prim_func
    def half(x: T.Buffer((T.int64(300), T.int64(512)), "float16"), y: T.Buffer((), "float16")):
        for i, j in T.grid(T.int64(300), T.int64(512)):
            y[()] = y[()] + x[i, j]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def columns(x: T.Buffer((T.int64(300), T.int64(600)), "float32"), y: T.Buffer((T.int64(600),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for jo in T.parallel(T.int64(3)):
#             for i in range(T.int64(300)):
#                 for i_1 in T.vectorized(T.min(T.int64(600) - jo * T.int64(256), T.int64(256))):
#                     y[jo * T.int64(256) + i_1] = y[jo * T.int64(256) + i_1] + x[i, jo * T.int64(256) + i_1]
#
#     @T.prim_func
#     def everything(x: T.Buffer((T.int64(300), T.int64(512)), "int32"), y: T.Buffer((), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         part = T.alloc_buffer((T.int64(10),), "int32")
#         for c in T.parallel(T.int64(10)):
#             part[c] = 0
#             acc = T.alloc_local((T.int64(32),), "int32")
#             for l in T.vectorized(T.int64(32)):
#                 acc[l] = 0
#             for i, ko in T.grid(T.min(T.int64(300) - c * T.int64(32), T.int64(32)), T.int64(16)):
#                 for l in T.vectorized(T.int64(32)):
#                     acc[l] = acc[l] + x[c * T.int64(32) + i, ko * T.int64(32) + l]
#             for l in T.vectorized(T.int64(16)):
#                 acc[l] = acc[l] + acc[l + T.int64(16)]
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = acc[l] + acc[l + T.int64(8)]
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = acc[l] + acc[l + T.int64(4)]
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = acc[l] + acc[l + T.int64(2)]
#             part[c] = part[c] + (acc[T.int64(0)] + acc[T.int64(1)])
#         for c in range(T.int64(10)):
#             y[()] = y[()] + part[c]
#
#     @T.prim_func
#     def half(x: T.Buffer((T.int64(300), T.int64(512)), "float16"), y: T.Buffer((), "float16")):
#         for i, j in T.grid(T.int64(300), T.int64(512)):
#             y[()] = y[()] + x[i, j]
#
#     @T.prim_func
#     def pairs(x: T.Buffer((T.int64(90), T.int64(2)), "float32"), y: T.Buffer((T.int64(1),), "float32")):
#         for i, j in T.grid(T.int64(90), T.int64(2)):
#             y[T.int64(0)] = y[T.int64(0)] + x[i, j]
#
#     @T.prim_func
#     def pooled(x: T.Buffer((T.int64(5), T.int64(14), T.int64(14)), "float32"), y: T.Buffer((T.int64(5),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(T.int64(5)):
#             acc = T.alloc_local((T.int64(8),))
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = T.float32(0.0)
#             for j in range(T.int64(14)):
#                 for l in T.vectorized(T.int64(8)):
#                     acc[l] = acc[l] + x[i, j, l]
#                 for l in T.vectorized(T.int64(6)):
#                     acc[l] = acc[l] + x[i, j, T.int64(8) + l]
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = acc[l] + acc[l + T.int64(4)]
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = acc[l] + acc[l + T.int64(2)]
#             y[i] = y[i] + (acc[T.int64(0)] + acc[T.int64(1)])
