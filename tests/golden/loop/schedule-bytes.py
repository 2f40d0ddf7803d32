# RUN: opt -p ScheduleCPU(vector_bytes=16) --verify-each --roundtrip-each --check-each
# A product of bytes, both with signs: words of four along k, the last of two; x is moved by 128, and the sums of the
# columns of w that this adds are where the sums begin.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def product(x: T.Buffer((T.int64(20), T.int64(18)), "int8"), w: T.Buffer((T.int64(18), T.int64(20)), "int8"), y: T.Buffer((T.int64(20), T.int64(20)), "int32")):
        for i, k, j in T.grid(T.int64(20), T.int64(18), T.int64(20)):
            with T.sblock("product"):
                v_i, v_k, v_j = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    y[v_i, v_j] = 0
                y[v_i, v_j] = y[v_i, v_j] + T.Cast("int32", x[v_i, v_k]) * T.Cast("int32", w[v_k, v_j])
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def product(x: T.Buffer((T.int64(20), T.int64(18)), "int8"), w: T.Buffer((T.int64(18), T.int64(20)), "int8"), y: T.Buffer((T.int64(20), T.int64(20)), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         panels = T.alloc_buffer((T.int64(3), T.int64(6), T.int64(8)), "int32")
#         tiles = T.alloc_buffer((T.int64(4), T.int64(5), T.int64(5)), "uint32")
#         for it in range(T.int64(4)):
#             for k in T.vectorized(T.int64(4)):
#                 for r in T.unroll(T.int64(5)):
#                     tiles[it, k, r] = T.Cast("uint32", T.Cast("uint8", x[it * T.int64(5) + r, k * T.int64(4)]) + T.uint8(128)) + T.Cast("uint32", T.Cast("uint8", x[it * T.int64(5) + r, k * T.int64(4) + T.int64(1)]) + T.uint8(128)) * T.uint32(256) + T.Cast("uint32", T.Cast("uint8", x[it * T.int64(5) + r, k * T.int64(4) + T.int64(2)]) + T.uint8(128)) * T.uint32(65536) + T.Cast("uint32", T.Cast("uint8", x[it * T.int64(5) + r, k * T.int64(4) + T.int64(3)]) + T.uint8(128)) * T.uint32(16777216)
#             for r in T.unroll(T.int64(5)):
#                 tiles[it, T.int64(4), r] = T.Cast("uint32", T.Cast("uint8", x[it * T.int64(5) + r, T.int64(16)]) + T.uint8(128)) + T.Cast("uint32", T.Cast("uint8", x[it * T.int64(5) + r, T.int64(17)]) + T.uint8(128)) * T.uint32(256)
#         for p in T.parallel(T.int64(2)):
#             for k in range(T.int64(4)):
#                 for c in T.vectorized(T.int64(8)):
#                     panels[p, k, c] = T.Cast("int32", T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4), c + p * T.int64(8)])) + T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4) + T.int64(1), c + p * T.int64(8)])) * T.uint32(256) + T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4) + T.int64(2), c + p * T.int64(8)])) * T.uint32(65536) + T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4) + T.int64(3), c + p * T.int64(8)])) * T.uint32(16777216))
#             for c in T.vectorized(T.int64(8)):
#                 panels[p, T.int64(4), c] = T.Cast("int32", T.Cast("uint32", T.Cast("uint8", w[T.int64(16), c + p * T.int64(8)])) + T.Cast("uint32", T.Cast("uint8", w[T.int64(17), c + p * T.int64(8)])) * T.uint32(256))
#                 panels[p, T.int64(5), c] = 0
#             for k in range(T.int64(18)):
#                 for c in T.vectorized(T.int64(8)):
#                     panels[p, T.int64(5), c] = panels[p, T.int64(5), c] + T.Cast("int32", w[k, c + p * T.int64(8)]) * -128
#             for ib in range(T.int64(4)):
#                 acc = T.alloc_local((T.int64(5), T.int64(8)), "int32")
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc[r, c] = panels[p, T.int64(5), c]
#                 for k in range(T.int64(5)):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc[r, c] = T.dot4(tiles[ib, k, r], panels[p, k, c], acc[r, c])
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(8)):
#                         y[ib * T.int64(5) + r, c + p * T.int64(8)] = acc[r, c]
#         for k in range(T.int64(4)):
#             for c in T.vectorized(T.int64(8)):
#                 panels[T.int64(2), k, c] = 0
#             for c in T.vectorized(T.int64(4)):
#                 panels[T.int64(2), k, c] = T.Cast("int32", T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4), c + T.int64(16)])) + T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4) + T.int64(1), c + T.int64(16)])) * T.uint32(256) + T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4) + T.int64(2), c + T.int64(16)])) * T.uint32(65536) + T.Cast("uint32", T.Cast("uint8", w[k * T.int64(4) + T.int64(3), c + T.int64(16)])) * T.uint32(16777216))
#         for c in T.vectorized(T.int64(8)):
#             panels[T.int64(2), T.int64(4), c] = 0
#             panels[T.int64(2), T.int64(5), c] = 0
#         for c in T.vectorized(T.int64(4)):
#             panels[T.int64(2), T.int64(4), c] = T.Cast("int32", T.Cast("uint32", T.Cast("uint8", w[T.int64(16), c + T.int64(16)])) + T.Cast("uint32", T.Cast("uint8", w[T.int64(17), c + T.int64(16)])) * T.uint32(256))
#         for k in range(T.int64(18)):
#             for c in T.vectorized(T.int64(4)):
#                 panels[T.int64(2), T.int64(5), c] = panels[T.int64(2), T.int64(5), c] + T.Cast("int32", w[k, c + T.int64(16)]) * -128
#         for ib in T.parallel(T.int64(4)):
#             acc_1 = T.alloc_local((T.int64(5), T.int64(8)), "int32")
#             for r in T.unroll(T.int64(5)):
#                 for c in T.vectorized(T.int64(8)):
#                     acc_1[r, c] = panels[T.int64(2), T.int64(5), c]
#             for k in range(T.int64(5)):
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc_1[r, c] = T.dot4(tiles[ib, k, r], panels[T.int64(2), k, c], acc_1[r, c])
#             for r in T.unroll(T.int64(5)):
#                 for c in T.vectorized(T.int64(4)):
#                     y[ib * T.int64(5) + r, c + T.int64(16)] = acc_1[r, c]
