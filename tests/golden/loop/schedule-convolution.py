# RUN: opt --vectors=32 -p ScheduleCPU(fma="on",l2_bytes=65536)
# Tasks are rows of the result: they copy their windows, multiply tiles, and store what follows the sums; the other half
# of the sum goes on where the first left it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def conv(x: T.Buffer((100, 9, 15), "float32"), w: T.Buffer((6, 100, 3, 3), "float32"), b: T.Buffer((6,), "float32"), y: T.Buffer((6, 7, 13), "float32")):
        c = T.alloc_buffer((6, 7, 13), "float32")
        for o, i in T.grid(6, 7):
            for j in range(13):
                c[o, i, j] = T.float32(0)
            for q, k, l, j in T.grid(100, 3, 3, 13):
                c[o, i, j] = c[o, i, j] + x[q, i + k, j + l] * w[o, q, k, l]
        for o, i, j in T.grid(6, 7, 13):
            y[o, i, j] = T.max(c[o, i, j] + b[o], T.float32(0))

    @R.function
    def main(x: R.Tensor((100, 9, 15), "float32"), w: R.Tensor((6, 100, 3, 3), "float32"), b: R.Tensor((6,), "float32")):
        cls = Module
        y = R.call_tir(cls.conv, (x, w, b), out_ty=R.Tensor((6, 7, 13), "float32"))
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
#     def conv(x: T.Buffer((100, 9, 15), "float32"), w: T.Buffer((6, 100, 3, 3), "float32"), b: T.Buffer((6,), "float32"), y: T.Buffer((6, 7, 13), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         tiles = T.alloc_buffer((T.int64(1), T.int64(900), T.int64(6)))
#         for k in T.vectorized(900):
#             for r in T.unroll(6):
#                 tiles[0, k, r] = w[r, k // 9, k // 3 % 3, k % 3]
#         for task in T.parallel(7):
#             flat = T.alloc_buffer((T.int64(225), T.int64(16)))
#             part = T.alloc_buffer((T.int64(6), T.int64(16)))
#             for kk in range(4):
#                 for k in range(225):
#                     for c in T.vectorized(13):
#                         flat[k, c] = x[(k + kk * 225) // 9, task + k // 3 % 3, c + k % 3]
#                     for c in T.vectorized(3):
#                         flat[k, c + 13] = T.float32(0.0)
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 if kk == 0:
#                     for r in T.unroll(6):
#                         for c in T.vectorized(16):
#                             acc[r, c] = T.float32(0.0)
#                 else:
#                     for r in T.unroll(6):
#                         for c in T.vectorized(16):
#                             acc[r, c] = part[r, c]
#                 for k in range(225):
#                     for r in T.unroll(6):
#                         for c in T.vectorized(16):
#                             acc[r, c] = T.fma(tiles[0, k + kk * 225, r], flat[k, c], acc[r, c])
#                 if kk == 3:
#                     for r in T.unroll(6):
#                         for c in T.vectorized(13):
#                             y[r, task, c] = T.max(acc[r, c] + b[r], T.float32(0.0))
#                 else:
#                     for r in T.unroll(6):
#                         for c in T.vectorized(16):
#                             part[r, c] = acc[r, c]
#
#     @R.function
#     def main(x: R.Tensor((100, 9, 15), dtype="float32"), w: R.Tensor((6, 100, 3, 3), dtype="float32"), b: R.Tensor((6,), dtype="float32")) -> R.Tensor((6, 7, 13), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.conv, (x, w, b), out_ty=R.Tensor((6, 7, 13), dtype="float32"))
#         return y
