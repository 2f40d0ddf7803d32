# RUN: opt -p ScheduleCPU(vector_bytes=32,l2_bytes=524288,fma="on") --verify-each --roundtrip-each --check-each
# The number of rows is open: packed for many, streamed for few. Rows behind the last tile go one by one.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def product(xh: T.handle, w: T.Buffer((T.int64(64), T.int64(32)), "float32"), yh: T.handle):
        n = T.int64()
        x = T.match_buffer(xh, (n, T.int64(64)), "float32")
        y = T.match_buffer(yh, (n, T.int64(32)), "float32")
        for i, k, j in T.grid(n, T.int64(64), T.int64(32)):
            with T.sblock("product"):
                v_i, v_k, v_j = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    y[v_i, v_j] = T.float32(0)
                y[v_i, v_j] = y[v_i, v_j] + x[v_i, v_k] * w[v_k, v_j]
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
#     def product(x: T.Buffer((n, T.int64(64)), "float32"), w: T.Buffer((T.int64(64), T.int64(32)), "float32"), y: T.Buffer((n, T.int64(32)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         panels = T.alloc_buffer((T.int64(2), T.int64(64), T.int64(16)))
#         if n >= T.int64(16):
#             for p in T.parallel(T.int64(2)):
#                 for k in range(T.int64(64)):
#                     for c in T.vectorized(T.int64(16)):
#                         panels[p, k, c] = w[k, c + p * T.int64(16)]
#                 for ic in range((n + T.int64(138)) // T.int64(144)):
#                     for ib in range(T.min(n // T.int64(6) - ic * T.int64(24), T.int64(24))):
#                         acc = T.alloc_local((T.int64(6), T.int64(16)))
#                         for r in T.unroll(T.int64(6)):
#                             for c in T.vectorized(T.int64(16)):
#                                 acc[r, c] = T.float32(0.0)
#                         for k in range(T.int64(64)):
#                             for r in T.unroll(T.int64(6)):
#                                 for c in T.vectorized(T.int64(16)):
#                                     acc[r, c] = T.fma(x[ib * T.int64(6) + ic * T.int64(144) + r, k], panels[p, k, c], acc[r, c])
#                         for r in T.unroll(T.int64(6)):
#                             for c in T.vectorized(T.int64(16)):
#                                 y[ib * T.int64(6) + ic * T.int64(144) + r, c + p * T.int64(16)] = acc[r, c]
#                 for it in range((n - n // T.int64(6) * T.int64(6)) // T.int64(4)):
#                     acc_1 = T.alloc_local((T.int64(4), T.int64(16)))
#                     for r in T.unroll(T.int64(4)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc_1[r, c] = T.float32(0.0)
#                     for k in range(T.int64(64)):
#                         for r in T.unroll(T.int64(4)):
#                             for c in T.vectorized(T.int64(16)):
#                                 acc_1[r, c] = T.fma(x[it * T.int64(4) + r + n // T.int64(6) * T.int64(6), k], panels[p, k, c], acc_1[r, c])
#                     for r in T.unroll(T.int64(4)):
#                         for c in T.vectorized(T.int64(16)):
#                             y[it * T.int64(4) + r + n // T.int64(6) * T.int64(6), c + p * T.int64(16)] = acc_1[r, c]
#                 for it in range(n // T.int64(2) - n // T.int64(6) * T.int64(3) - (n - n // T.int64(6) * T.int64(6)) // T.int64(4) * T.int64(2)):
#                     acc_2 = T.alloc_local((T.int64(2), T.int64(16)))
#                     for r in T.unroll(T.int64(2)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc_2[r, c] = T.float32(0.0)
#                     for k in range(T.int64(64)):
#                         for r in T.unroll(T.int64(2)):
#                             for c in T.vectorized(T.int64(16)):
#                                 acc_2[r, c] = T.fma(x[it * T.int64(2) + r + n // T.int64(6) * T.int64(6) + (n - n // T.int64(6) * T.int64(6)) // T.int64(4) * T.int64(4), k], panels[p, k, c], acc_2[r, c])
#                     for r in T.unroll(T.int64(2)):
#                         for c in T.vectorized(T.int64(16)):
#                             y[it * T.int64(2) + r + n // T.int64(6) * T.int64(6) + (n - n // T.int64(6) * T.int64(6)) // T.int64(4) * T.int64(4), c + p * T.int64(16)] = acc_2[r, c]
#                 for it in range(n - n // T.int64(2) * T.int64(2)):
#                     acc_3 = T.alloc_local((T.int64(1), T.int64(16)))
#                     for c in T.vectorized(T.int64(16)):
#                         acc_3[T.int64(0), c] = T.float32(0.0)
#                     for k in range(T.int64(64)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc_3[T.int64(0), c] = T.fma(x[it + n // T.int64(2) * T.int64(2), k], panels[p, k, c], acc_3[T.int64(0), c])
#                     for c in T.vectorized(T.int64(16)):
#                         y[it + n // T.int64(2) * T.int64(2), c + p * T.int64(16)] = acc_3[T.int64(0), c]
#         else:
#             for i in T.parallel(n):
#                 for jj in T.vectorized(T.int64(32)):
#                     y[i, jj] = T.float32(0.0)
#             for ko in range(T.int64(8)):
#                 for i in T.parallel(n):
#                     for jj in T.vectorized(T.int64(32)):
#                         y[i, jj] = T.fma(x[i, ko * T.int64(8) + T.int64(7)], w[ko * T.int64(8) + T.int64(7), jj], T.fma(x[i, ko * T.int64(8) + T.int64(6)], w[ko * T.int64(8) + T.int64(6), jj], T.fma(x[i, ko * T.int64(8) + T.int64(5)], w[ko * T.int64(8) + T.int64(5), jj], T.fma(x[i, ko * T.int64(8) + T.int64(4)], w[ko * T.int64(8) + T.int64(4), jj], T.fma(x[i, ko * T.int64(8) + T.int64(3)], w[ko * T.int64(8) + T.int64(3), jj], T.fma(x[i, ko * T.int64(8) + T.int64(2)], w[ko * T.int64(8) + T.int64(2), jj], T.fma(x[i, ko * T.int64(8) + T.int64(1)], w[ko * T.int64(8) + T.int64(1), jj], T.fma(x[i, ko * T.int64(8)], w[ko * T.int64(8), jj], y[i, jj]))))))))
