# RUN: opt --vectors=32 -p LegalizeOps,ScheduleCPU(fma="on")
# The four phases of a transposed convolution of stride 2 are products; of a window of three, the fourth weight is zero.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 16, 8, 8), "float32"), w: R.Tensor((16, 6, 3, 3), "float32")):
        y = R.nn.conv2d_transpose(x, w, strides=[2, 2], padding=[1, 1, 1, 1], output_padding=[1, 1])
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d_transpose(data: T.Buffer((T.int64(1), T.int64(16), T.int64(8), T.int64(8)), "float32"), weight: T.Buffer((T.int64(16), T.int64(6), T.int64(3), T.int64(3)), "float32"), out: T.Buffer((T.int64(1), T.int64(6), T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
#         tiles = T.alloc_buffer((T.int64(4), T.int64(64), T.int64(6)))
#         for it in T.parallel(T.int64(4)):
#             for k in T.vectorized(T.int64(64)):
#                 for r in T.unroll(T.int64(6)):
#                     tiles[it, k, r] = T.if_then_else(k // T.int64(2) % T.int64(2) * T.int64(2) + (it // T.int64(2) + T.int64(1)) % T.int64(2) < T.int64(3) and k % T.int64(2) * T.int64(2) + (it + T.int64(1)) % T.int64(2) < T.int64(3), weight[k // T.int64(4), r, k // T.int64(2) % T.int64(2) * T.int64(2) + (it // T.int64(2) + T.int64(1)) % T.int64(2), k % T.int64(2) * T.int64(2) + (it + T.int64(1)) % T.int64(2)], T.float32(0.0))
#         for task in T.parallel(T.int64(4)):
#             flat = T.alloc_buffer((T.int64(64), T.int64(64)))
#             part = T.alloc_buffer((T.int64(6), T.int64(64)))
#             for k, q in T.grid(T.int64(64), T.int64(8)):
#                 for c in T.vectorized(T.int64(8)):
#                     flat[k, c + q * T.int64(8)] = T.if_then_else(k // T.int64(2) % T.int64(2) * T.int64(2) + (task // T.int64(2) + T.int64(1)) % T.int64(2) < T.int64(3) and T.int64(0) <= q + (task + T.int64(2)) // T.int64(4) - k // T.int64(2) % T.int64(2) and q + (task + T.int64(2)) // T.int64(4) - k // T.int64(2) % T.int64(2) < T.int64(8) and k % T.int64(2) * T.int64(2) + (task + T.int64(1)) % T.int64(2) < T.int64(3) and T.int64(0) <= c - k % T.int64(2) + (task % T.int64(2) + T.int64(1)) // T.int64(2) and c - k % T.int64(2) + (task % T.int64(2) + T.int64(1)) // T.int64(2) < T.int64(8), data[T.int64(0), k // T.int64(4), q + (task + T.int64(2)) // T.int64(4) - k // T.int64(2) % T.int64(2), c - k % T.int64(2) + (task % T.int64(2) + T.int64(1)) // T.int64(2)], T.float32(0.0))
#             for p in range(T.int64(4)):
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(16)):
#                         acc[r, c] = T.float32(0.0)
#                 for k in range(T.int64(64)):
#                     for r in T.unroll(T.int64(6)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc[r, c] = T.fma(tiles[task, k, r], flat[k, c + p * T.int64(16)], acc[r, c])
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(16)):
#                         part[r, c + p * T.int64(16)] = acc[r, c]
#             for i, q in T.grid(T.int64(6), T.int64(8)):
#                 for c in T.vectorized(T.int64(8)):
#                     out[T.int64(0), i, q * T.int64(2) + task // T.int64(2), c * T.int64(2) + task % T.int64(2)] = part[i, c + q * T.int64(8)]
#
#     @R.function
#     def main(x: R.Tensor((1, 16, 8, 8), dtype="float32"), w: R.Tensor((16, 6, 3, 3), dtype="float32")) -> R.Tensor((1, 6, 16, 16), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.conv2d_transpose, (x, w), out_ty=R.Tensor((1, 6, 16, 16), dtype="float32"))
#         return y
