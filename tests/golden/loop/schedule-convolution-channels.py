# RUN: opt --vectors=32 -p ScheduleCPU(fma="on")
# Of few columns, channels make the vectors: strips of eight of them, two and one, and tiles of six columns.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def conv(x: T.Buffer((64, 5, 5), "float32"), w: T.Buffer((20, 64, 3, 3), "float32"), b: T.Buffer((20,), "float32"), y: T.Buffer((20, 3, 3), "float32")):
        c = T.alloc_buffer((20, 3, 3), "float32")
        for o, i in T.grid(20, 3):
            for j in range(3):
                c[o, i, j] = T.float32(0)
            for q, k, l, j in T.grid(64, 3, 3, 3):
                c[o, i, j] = c[o, i, j] + x[q, i + k, j + l] * w[o, q, k, l]
        for o, i, j in T.grid(20, 3, 3):
            y[o, i, j] = T.max(c[o, i, j] + b[o], T.float32(0))

    @R.function
    def main(x: R.Tensor((64, 5, 5), "float32"), w: R.Tensor((20, 64, 3, 3), "float32"), b: R.Tensor((20,), "float32")):
        cls = Module
        y = R.call_tir(cls.conv, (x, w, b), out_ty=R.Tensor((20, 3, 3), "float32"))
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def conv(x: T.Buffer((64, 5, 5), "float32"), w: T.Buffer((20, 64, 3, 3), "float32"), b: T.Buffer((20,), "float32"), y: T.Buffer((20, 3, 3), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         strips = T.alloc_buffer((T.int64(3), T.int64(576), T.int64(8)))
#         for it in T.parallel(3):
#             for k in range(576):
#                 for l in T.vectorized(8):
#                     strips[it, k, l] = T.if_then_else(it * 8 + l < 20, w[it * 8 + l, k // 9, k // 3 % 3, k % 3], T.float32(0.0))
#         flat = T.alloc_buffer((T.int64(192), T.int64(9)))
#         tiles = T.alloc_buffer((T.int64(2), T.int64(192), T.int64(5)))
#         part = T.alloc_buffer((T.int64(9), T.int64(24)))
#         for kk in range(3):
#             for k in range(192):
#                 for q in range(3):
#                     for c in T.vectorized(3):
#                         flat[k, c + q * 3] = x[(k + kk * 192) // 9, q + (k + kk * 192) // 3 % 3, c + k % 3]
#                 for r in T.vectorized(4):
#                     tiles[1, k, r] = flat[k, r + 5]
#             for k in range(192):
#                 for r in T.vectorized(5):
#                     tiles[0, k, r] = flat[k, r]
#             acc = T.alloc_local((T.int64(5), T.int64(16)))
#             if kk == 0:
#                 for r in T.unroll(5):
#                     for v in T.unroll(2):
#                         for l in T.vectorized(8):
#                             acc[r, l + v * 8] = T.float32(0.0)
#             else:
#                 for r in T.unroll(5):
#                     for v in T.unroll(2):
#                         for l in T.vectorized(8):
#                             acc[r, l + v * 8] = part[r, l + v * 8]
#             for k in range(192):
#                 for r in T.unroll(5):
#                     for v in T.unroll(2):
#                         for l in T.vectorized(8):
#                             acc[r, l + v * 8] = T.fma(strips[v, k + kk * 192, l], tiles[0, k, r], acc[r, l + v * 8])
#             for r in T.unroll(5):
#                 for v in T.unroll(2):
#                     for l in T.vectorized(8):
#                         part[r, l + v * 8] = acc[r, l + v * 8]
#             acc_1 = T.alloc_local((T.int64(4), T.int64(16)))
#             if kk == 0:
#                 for r in T.unroll(4):
#                     for v in T.unroll(2):
#                         for l in T.vectorized(8):
#                             acc_1[r, l + v * 8] = T.float32(0.0)
#             else:
#                 for r in T.unroll(4):
#                     for v in T.unroll(2):
#                         for l in T.vectorized(8):
#                             acc_1[r, l + v * 8] = part[r + 5, l + v * 8]
#             acc_2 = T.alloc_local((T.int64(5), T.int64(8)))
#             if kk == 0:
#                 for r in T.unroll(5):
#                     for l in T.vectorized(8):
#                         acc_2[r, l] = T.float32(0.0)
#             else:
#                 for r in T.unroll(5):
#                     for l in T.vectorized(8):
#                         acc_2[r, l] = part[r, l + 16]
#             for k in range(192):
#                 for r in T.unroll(4):
#                     for v in T.unroll(2):
#                         for l in T.vectorized(8):
#                             acc_1[r, l + v * 8] = T.fma(strips[v, k + kk * 192, l], tiles[1, k, r], acc_1[r, l + v * 8])
#                 for r in T.unroll(5):
#                     for l in T.vectorized(8):
#                         acc_2[r, l] = T.fma(strips[2, k + kk * 192, l], tiles[0, k, r], acc_2[r, l])
#             for r in T.unroll(4):
#                 for v in T.unroll(2):
#                     for l in T.vectorized(8):
#                         part[r + 5, l + v * 8] = acc_1[r, l + v * 8]
#             for r in T.unroll(5):
#                 for l in T.vectorized(8):
#                     part[r, l + 16] = acc_2[r, l]
#             acc_3 = T.alloc_local((T.int64(4), T.int64(8)))
#             if kk == 0:
#                 for r in T.unroll(4):
#                     for l in T.vectorized(8):
#                         acc_3[r, l] = T.float32(0.0)
#             else:
#                 for r in T.unroll(4):
#                     for l in T.vectorized(8):
#                         acc_3[r, l] = part[r + 5, l + 16]
#             for k in range(192):
#                 for r in T.unroll(4):
#                     for l in T.vectorized(8):
#                         acc_3[r, l] = T.fma(strips[2, k + kk * 192, l], tiles[1, k, r], acc_3[r, l])
#             for r in T.unroll(4):
#                 for l in T.vectorized(8):
#                     part[r + 5, l + 16] = acc_3[r, l]
#         for i in range(20):
#             for c in T.vectorized(9):
#                 y[i, c // 3, c % 3] = T.max(part[c, i] + b[i], T.float32(0.0))
#
#     @R.function
#     def main(x: R.Tensor((64, 5, 5), dtype="float32"), w: R.Tensor((20, 64, 3, 3), dtype="float32"), b: R.Tensor((20,), dtype="float32")) -> R.Tensor((20, 3, 3), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.conv, (x, w, b), out_ty=R.Tensor((20, 3, 3), dtype="float32"))
#         return y
