# RUN: opt --vectors=32 -p ScheduleCPU(fma="on")
# Of rows and columns that only the run knows: four rows at a time, and as many columns as fit; panels of two rows.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def conv(x: T.Buffer((T.int64(16), "h + T.int64(2)", "w + T.int64(2)"), "float32"), k: T.Buffer((T.int64(8), T.int64(16), T.int64(3), T.int64(3)), "float32"), b: T.Buffer((T.int64(8),), "float32"), y: T.Buffer((T.int64(8), "h", "w"), "float32")):
        h = T.int64()
        w = T.int64()
        c = T.alloc_buffer((T.int64(8), h, w), "float32")
        for o, i in T.grid(T.int64(8), h):
            for j in range(w):
                c[o, i, j] = T.float32(0)
            for q, l, m, j in T.grid(T.int64(16), T.int64(3), T.int64(3), w):
                c[o, i, j] = c[o, i, j] + x[q, i + l, j + m] * k[o, q, l, m]
        for o, i, j in T.grid(T.int64(8), h, w):
            y[o, i, j] = T.max(c[o, i, j] + b[o], T.float32(0))

    @R.function
    def main(x: R.Tensor((T.int64(16), "h + 2", "w + 2"), "float32"), k: R.Tensor((8, 16, 3, 3), "float32"), b: R.Tensor((8,), "float32"), s: R.Shape(["h", "w"])):
        h = T.int64()
        w = T.int64()
        cls = Module
        y = R.call_tir(cls.conv, (x, k, b), out_ty=R.Tensor((8, h, w), "float32"))
        return y
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# h = TypeVar("h")
# w = TypeVar("w")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def conv(x: T.Buffer((T.int64(16), "h + T.int64(2)", "w + T.int64(2)"), "float32"), k: T.Buffer((T.int64(8), T.int64(16), T.int64(3), T.int64(3)), "float32"), b: T.Buffer((T.int64(8),), "float32"), y: T.Buffer((T.int64(8), h, w), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         tiles = T.alloc_buffer((T.int64(2), T.int64(144), T.int64(5)))
#         for k_1 in T.vectorized(T.int64(144)):
#             for r in T.unroll(T.int64(5)):
#                 tiles[T.int64(0), k_1, r] = k[r, k_1 // T.int64(9), k_1 // T.int64(3) % T.int64(3), k_1 % T.int64(3)]
#         for k_1 in T.vectorized(T.int64(144)):
#             for r in T.unroll(T.int64(3)):
#                 tiles[T.int64(1), k_1, r] = k[r + T.int64(5), k_1 // T.int64(9), k_1 // T.int64(3) % T.int64(3), k_1 % T.int64(3)]
#         for rt in T.parallel((h + T.int64(3)) // T.int64(4)):
#             for ct in range((w + T.int64(47)) // T.int64(48)):
#                 flat = T.alloc_buffer((T.int64(144), T.int64(192)))
#                 part = T.alloc_buffer((T.int64(10), T.int64(192)))
#                 for k_1 in range(T.int64(144)):
#                     for q in range(T.min(h - rt * T.int64(4), T.int64(4))):
#                         for c in T.vectorized(T.min(w - ct * T.int64(48), T.int64(48))):
#                             flat[k_1, c + q * T.int64(48)] = x[k_1 // T.int64(9), q + rt * T.int64(4) + k_1 // T.int64(3) % T.int64(3), c + ct * T.int64(48) + k_1 % T.int64(3)]
#                         for c in T.vectorized(T.min(w - ct * T.int64(48), T.int64(48)) // T.int64(8) * T.int64(8) + T.min(T.min(w - ct * T.int64(48), T.int64(48)) % T.int64(8), T.int64(1)) * T.int64(8) - T.min(w - ct * T.int64(48), T.int64(48))):
#                             flat[k_1, c + q * T.int64(48) + T.min(w - ct * T.int64(48), T.int64(48))] = T.float32(0.0)
#                     for q in range(T.min(h - rt * T.int64(4), T.int64(4)) - T.min(h - rt * T.int64(4), T.int64(4)) // T.int64(2) * T.int64(2)):
#                         for c in T.vectorized(T.min(w - ct * T.int64(48), T.int64(48)) // T.int64(8) * T.int64(8) + T.min(T.min(w - ct * T.int64(48), T.int64(48)) % T.int64(8), T.int64(1)) * T.int64(8)):
#                             flat[k_1, c + q * T.int64(48) + T.min(h - rt * T.int64(4), T.int64(4)) * T.int64(48)] = T.float32(0.0)
#                 for g, v in T.grid(T.min(h - rt * T.int64(4), T.int64(4)) - T.min(h - rt * T.int64(4), T.int64(4)) // T.int64(2), T.min(w - ct * T.int64(48), T.int64(48)) // T.int64(8) + T.min(T.min(w - ct * T.int64(48), T.int64(48)) % T.int64(8), T.int64(1))):
#                     acc = T.alloc_local((T.int64(5), T.int64(16)))
#                     for r in T.unroll(T.int64(5)):
#                         for h_1 in T.unroll(T.int64(2)):
#                             for c in T.vectorized(T.int64(8)):
#                                 acc[r, c + h_1 * T.int64(8)] = T.float32(0.0)
#                     for k_1 in range(T.int64(144)):
#                         for r in T.unroll(T.int64(5)):
#                             for h_1 in T.unroll(T.int64(2)):
#                                 for c in T.vectorized(T.int64(8)):
#                                     acc[r, c + h_1 * T.int64(8)] = T.fma(tiles[T.int64(0), k_1, r], flat[k_1, c + g * T.int64(96) + h_1 * T.int64(48) + v * T.int64(8)], acc[r, c + h_1 * T.int64(8)])
#                     for r in T.unroll(T.int64(5)):
#                         for h_1 in T.unroll(T.int64(2)):
#                             for c in T.vectorized(T.int64(8)):
#                                 part[r, c + g * T.int64(96) + h_1 * T.int64(48) + v * T.int64(8)] = acc[r, c + h_1 * T.int64(8)]
#                 for g, v in T.grid(T.min(h - rt * T.int64(4), T.int64(4)) - T.min(h - rt * T.int64(4), T.int64(4)) // T.int64(2), T.min(w - ct * T.int64(48), T.int64(48)) // T.int64(8) + T.min(T.min(w - ct * T.int64(48), T.int64(48)) % T.int64(8), T.int64(1))):
#                     acc_1 = T.alloc_local((T.int64(3), T.int64(16)))
#                     for r in T.unroll(T.int64(3)):
#                         for h_1 in T.unroll(T.int64(2)):
#                             for c in T.vectorized(T.int64(8)):
#                                 acc_1[r, c + h_1 * T.int64(8)] = T.float32(0.0)
#                     for k_1 in range(T.int64(144)):
#                         for r in T.unroll(T.int64(3)):
#                             for h_1 in T.unroll(T.int64(2)):
#                                 for c in T.vectorized(T.int64(8)):
#                                     acc_1[r, c + h_1 * T.int64(8)] = T.fma(tiles[T.int64(1), k_1, r], flat[k_1, c + g * T.int64(96) + h_1 * T.int64(48) + v * T.int64(8)], acc_1[r, c + h_1 * T.int64(8)])
#                     for r in T.unroll(T.int64(3)):
#                         for h_1 in T.unroll(T.int64(2)):
#                             for c in T.vectorized(T.int64(8)):
#                                 part[r + T.int64(5), c + g * T.int64(96) + h_1 * T.int64(48) + v * T.int64(8)] = acc_1[r, c + h_1 * T.int64(8)]
#                 for i, q in T.grid(T.int64(8), T.min(h - rt * T.int64(4), T.int64(4))):
#                     for c in T.vectorized(T.min(w - ct * T.int64(48), T.int64(48))):
#                         y[i, q + rt * T.int64(4), c + ct * T.int64(48)] = T.max(part[i, c + q * T.int64(48)] + b[i], T.float32(0.0))
#
#     @R.function
#     def main(x: R.Tensor((16, "h + 2", "w + 2"), dtype="float32"), k: R.Tensor((8, 16, 3, 3), dtype="float32"), b: R.Tensor((8,), dtype="float32"), s: R.Shape([h, w])) -> R.Tensor((8, h, w), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.conv, (x, k, b), out_ty=R.Tensor((8, h, w), dtype="float32"))
#         return y
