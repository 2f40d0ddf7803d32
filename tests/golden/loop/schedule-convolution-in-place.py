# RUN: opt --vectors=32 -p ScheduleCPU(fma="on",l2_bytes=65536)
# The columns of all rows are beside each other in x: panels of 16 of them are read where they lie, and only the last 8
# of the 40 of a task are copied; in y they are beside each other as well, and stored from registers.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def conv(x: T.Buffer((40, 20, 10), "float32"), w: T.Buffer((12, 40), "float32"), y: T.Buffer((12, 20, 10), "float32")):
        for o, i, j in T.grid(12, 20, 10):
            y[o, i, j] = T.float32(0)
            for q in range(40):
                y[o, i, j] = y[o, i, j] + x[q, i, j] * w[o, q]

    @R.function
    def main(x: R.Tensor((40, 20, 10), "float32"), w: R.Tensor((12, 40), "float32")):
        cls = Module
        y = R.call_tir(cls.conv, (x, w), out_ty=R.Tensor((12, 20, 10), "float32"))
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
#     def conv(x: T.Buffer((40, 20, 10), "float32"), w: T.Buffer((12, 40), "float32"), y: T.Buffer((12, 20, 10), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         tiles = T.alloc_buffer((T.int64(2), T.int64(40), T.int64(6)))
#         for it in T.parallel(2):
#             for k in range(40):
#                 for r in T.unroll(6):
#                     tiles[it, k, r] = w[it * 6 + r, k]
#         for task in T.parallel(5):
#             flat = T.alloc_buffer((T.int64(40), T.int64(8)))
#             for k in range(40):
#                 for c in T.vectorized(8):
#                     flat[k, c] = x[k, task * 4 + 3, c + 2]
#             for ib, p in T.grid(2, 2):
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 for r in T.unroll(6):
#                     for c in T.vectorized(16):
#                         acc[r, c] = T.float32(0.0)
#                 for k in range(40):
#                     for r in T.unroll(6):
#                         for c in T.vectorized(16):
#                             acc[r, c] = T.fma(tiles[ib, k, r], x[k, task * 4 + (c + p * 16) // 10, (c + p * 16) % 10], acc[r, c])
#                 for r in T.unroll(6):
#                     for c in T.vectorized(16):
#                         y[ib * 6 + r, (c + p * 16 + task * 40) // 10, (c + p * 16) % 10] = acc[r, c]
#             acc_1 = T.alloc_local((T.int64(12), T.int64(8)))
#             for g in T.unroll(2):
#                 for r in T.unroll(6):
#                     for c in T.vectorized(8):
#                         acc_1[g * 6 + r, c] = T.float32(0.0)
#             for k in range(40):
#                 for g in T.unroll(2):
#                     for r in T.unroll(6):
#                         for c in T.vectorized(8):
#                             acc_1[g * 6 + r, c] = T.fma(tiles[g, k, r], flat[k, c], acc_1[g * 6 + r, c])
#             for g in T.unroll(2):
#                 for r in T.unroll(6):
#                     for c in T.vectorized(8):
#                         y[g * 6 + r, task * 4 + 3, c + 2] = acc_1[g * 6 + r, c]
#
#     @R.function
#     def main(x: R.Tensor((40, 20, 10), dtype="float32"), w: R.Tensor((12, 40), dtype="float32")) -> R.Tensor((12, 20, 10), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.conv, (x, w), out_ty=R.Tensor((12, 20, 10), dtype="float32"))
#         return y
