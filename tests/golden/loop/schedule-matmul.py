# RUN: opt -p ScheduleCPU(vector_bytes=16,l2_bytes=65536,fma="on") --verify-each --roundtrip-each --check-each
# 20 rows by 36 columns: three tiles of six rows and one of two, four panels of eight columns and one of
# four. k is cut at 128. The second operand is transposed: packing reads it as it lies.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def product(x: T.Buffer((T.int64(20), T.int64(200)), "float32"), w: T.Buffer((T.int64(36), T.int64(200)), "float32"), y: T.Buffer((T.int64(20), T.int64(36)), "float32")):
        for i, k, j in T.grid(T.int64(20), T.int64(200), T.int64(36)):
            with T.sblock("product"):
                v_i, v_k, v_j = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    y[v_i, v_j] = T.float32(0)
                y[v_i, v_j] = y[v_i, v_j] + x[v_i, v_k] * w[v_j, v_k]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def product(x: T.Buffer((T.int64(20), T.int64(200)), "float32"), w: T.Buffer((T.int64(36), T.int64(200)), "float32"), y: T.Buffer((T.int64(20), T.int64(36)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         panels = T.alloc_buffer((T.int64(5), T.int64(200), T.int64(8)))
#         for p in T.parallel(T.int64(4)):
#             for io in range(T.int64(13)):
#                 tile = T.alloc_local((T.int64(16), T.int64(16)))
#                 for jj in range(T.int64(8)):
#                     for ii in T.vectorized(T.min(T.int64(200) - io * T.int64(16), T.int64(16))):
#                         tile[jj, ii] = w[jj + p * T.int64(8), ii + io * T.int64(16)]
#                 for ii in range(T.min(T.int64(200) - io * T.int64(16), T.int64(16))):
#                     for jj in T.vectorized(T.int64(8)):
#                         panels[p, ii + io * T.int64(16), jj] = tile[jj, ii]
#             for kk, ib in T.grid(T.int64(2), T.int64(4)):
#                 acc = T.alloc_local((T.int64(5), T.int64(8)))
#                 if kk == T.int64(0):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc[r, c] = T.float32(0.0)
#                 else:
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc[r, c] = y[ib * T.int64(5) + r, c + p * T.int64(8)]
#                 for k in range(T.min(T.int64(200) - kk * T.int64(128), T.int64(128))):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc[r, c] = T.fma(x[ib * T.int64(5) + r, k + kk * T.int64(128)], panels[p, k + kk * T.int64(128), c], acc[r, c])
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(8)):
#                         y[ib * T.int64(5) + r, c + p * T.int64(8)] = acc[r, c]
#         for k in range(T.int64(200)):
#             for c in T.vectorized(T.int64(8)):
#                 panels[T.int64(4), k, c] = T.float32(0.0)
#             for c in T.vectorized(T.int64(4)):
#                 panels[T.int64(4), k, c] = w[c + T.int64(32), k]
#         for kk in range(T.int64(2)):
#             for ib in T.parallel(T.int64(4)):
#                 acc_1 = T.alloc_local((T.int64(5), T.int64(8)))
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc_1[r, c] = T.float32(0.0)
#                 if kk > T.int64(0):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(4)):
#                             acc_1[r, c] = y[ib * T.int64(5) + r, c + T.int64(32)]
#                 for k in range(T.min(T.int64(200) - kk * T.int64(128), T.int64(128))):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc_1[r, c] = T.fma(x[ib * T.int64(5) + r, k + kk * T.int64(128)], panels[T.int64(4), k + kk * T.int64(128), c], acc_1[r, c])
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(4)):
#                         y[ib * T.int64(5) + r, c + T.int64(32)] = acc_1[r, c]
