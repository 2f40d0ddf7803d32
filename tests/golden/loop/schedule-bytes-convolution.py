# RUN: opt -p ScheduleCPU(vector_bytes=16) --verify-each --roundtrip-each --check-each
# Windows of bytes, all with signs: words of four along the sum, the last of two, whose bytes of w behind the end are
# zeros and whose bytes of x are any; x is moved by 128, and what that adds to a row of w is where its sums begin.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def convolution(x: T.Buffer((T.int64(2), T.int64(18), T.int64(18)), "int8"), w: T.Buffer((T.int64(6), T.int64(2), T.int64(3), T.int64(3)), "int8"), y: T.Buffer((T.int64(6), T.int64(16), T.int64(16)), "int32")):
        for o, h, c, k, l, v in T.grid(T.int64(6), T.int64(16), T.int64(2), T.int64(3), T.int64(3), T.int64(16)):
            with T.sblock("convolution"):
                v_o, v_h, v_c, v_k, v_l, v_v = T.axis.remap("SSRRRS", [o, h, c, k, l, v])
                with T.init():
                    y[v_o, v_h, v_v] = 0
                y[v_o, v_h, v_v] = y[v_o, v_h, v_v] + T.Cast("int32", x[v_c, v_h + v_k, v_v + v_l]) * T.Cast("int32", w[v_o, v_c, v_k, v_l])
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def convolution(x: T.Buffer((T.int64(2), T.int64(18), T.int64(18)), "int8"), w: T.Buffer((T.int64(6), T.int64(2), T.int64(3), T.int64(3)), "int8"), y: T.Buffer((T.int64(6), T.int64(16), T.int64(16)), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         tiles = T.alloc_buffer((T.int64(1), T.int64(6), T.int64(6)), "int32")
#         for k in T.vectorized(T.int64(5)):
#             for r in T.unroll(T.int64(6)):
#                 tiles[T.int64(0), k, r] = T.Cast("int32", T.Cast("uint32", T.Cast("uint8", w[r, k * T.int64(4) // T.int64(9), k * T.int64(4) // T.int64(3) % T.int64(3), k * T.int64(4) % T.int64(3)])) + T.Cast("uint32", T.Cast("uint8", w[r, (k * T.int64(4) + T.int64(1)) // T.int64(9), (k * T.int64(4) + T.int64(1)) // T.int64(3) % T.int64(3), (k * T.int64(4) + T.int64(1)) % T.int64(3)])) * T.uint32(256) + T.Cast("uint32", T.if_then_else(k * T.int64(4) + T.int64(2) < T.int64(18), T.Cast("uint8", w[r, (k * T.int64(4) + T.int64(2)) // T.int64(9), (k * T.int64(4) + T.int64(2)) // T.int64(3) % T.int64(3), (k * T.int64(4) + T.int64(2)) % T.int64(3)]), T.uint8(0))) * T.uint32(65536) + T.Cast("uint32", T.if_then_else(k * T.int64(4) + T.int64(3) < T.int64(18), T.Cast("uint8", w[r, (k * T.int64(4) + T.int64(3)) // T.int64(9), (k * T.int64(4) + T.int64(3)) // T.int64(3) % T.int64(3), k * T.int64(4) % T.int64(3)]), T.uint8(0))) * T.uint32(16777216))
#         for r in T.vectorized(T.int64(6)):
#             tiles[T.int64(0), T.int64(5), r] = 0
#         for k in range(T.int64(18)):
#             for r in T.vectorized(T.int64(6)):
#                 tiles[T.int64(0), T.int64(5), r] = tiles[T.int64(0), T.int64(5), r] + T.Cast("int32", w[r, k // T.int64(9), k // T.int64(3) % T.int64(3), k % T.int64(3)]) * -128
#         for task in T.parallel(T.int64(4)):
#             flat = T.alloc_buffer((T.int64(5), T.int64(64)), "uint32")
#             for k, q in T.grid(T.int64(5), T.int64(4)):
#                 for c in T.vectorized(T.int64(16)):
#                     flat[k, c + q * T.int64(16)] = T.Cast("uint32", T.Cast("uint8", x[k * T.int64(4) // T.int64(9), q + task * T.int64(4) + k * T.int64(4) // T.int64(3) % T.int64(3), c + k * T.int64(4) % T.int64(3)]) + T.uint8(128)) + T.Cast("uint32", T.Cast("uint8", x[(k * T.int64(4) + T.int64(1)) // T.int64(9), q + task * T.int64(4) + (k * T.int64(4) + T.int64(1)) // T.int64(3) % T.int64(3), c + (k * T.int64(4) + T.int64(1)) % T.int64(3)]) + T.uint8(128)) * T.uint32(256) + T.Cast("uint32", T.Cast("uint8", x[T.min(k * T.int64(4) + T.int64(2), T.int64(17)) // T.int64(9), q + task * T.int64(4) + T.min(k * T.int64(4) + T.int64(2), T.int64(17)) // T.int64(3) % T.int64(3), c + T.min(k * T.int64(4) + T.int64(2), T.int64(17)) % T.int64(3)]) + T.uint8(128)) * T.uint32(65536) + T.Cast("uint32", T.Cast("uint8", x[T.min(k * T.int64(4) + T.int64(3), T.int64(17)) // T.int64(9), q + task * T.int64(4) + T.min(k * T.int64(4) + T.int64(3), T.int64(17)) // T.int64(3) % T.int64(3), c + T.min(k * T.int64(4) + T.int64(3), T.int64(17)) % T.int64(3)]) + T.uint8(128)) * T.uint32(16777216)
#             for p in range(T.int64(8)):
#                 acc = T.alloc_local((T.int64(6), T.int64(8)), "int32")
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc[r, c] = tiles[T.int64(0), T.int64(5), r]
#                 for k in range(T.int64(5)):
#                     for r in T.unroll(T.int64(6)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc[r, c] = T.dot4(tiles[T.int64(0), k, r], flat[k, c + p * T.int64(8)], acc[r, c])
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(8)):
#                         y[r, (c + p * T.int64(8) + task * T.int64(64)) // T.int64(16), (c + p * T.int64(8)) % T.int64(16)] = acc[r, c]
