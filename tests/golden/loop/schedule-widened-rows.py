# RUN: opt -p ScheduleCPU(vector_bytes=16,l2_bytes=262144,fma="on") --verify-each --roundtrip-each --check-each
# More rows than one tile has, with weights of float16: each task widens a block of the panels that it reads, and multiplies
# all rows with it. The last panel has four columns of eight.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def product(x: T.Buffer((T.int64(20), T.int64(400)), "float32"), w: T.Buffer((T.int64(400), T.int64(36)), "float16"), y: T.Buffer((T.int64(20), T.int64(36)), "float32")):
        for i, k, j in T.grid(T.int64(20), T.int64(400), T.int64(36)):
            with T.sblock("product"):
                v_i, v_k, v_j = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    y[v_i, v_j] = T.float32(0)
                y[v_i, v_j] = y[v_i, v_j] + x[v_i, v_k] * T.Cast("float32", w[v_k, v_j])
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def product(x: T.Buffer((T.int64(20), T.int64(400)), "float32"), w: T.Buffer((T.int64(400), T.int64(36)), "float16"), y: T.Buffer((T.int64(20), T.int64(36)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for jb in T.parallel(T.int64(4)):
#             panels = T.alloc_buffer((T.int64(1), T.int64(256), T.int64(8)))
#             for kk in range(T.int64(2)):
#                 for k in range(T.min(T.int64(400) - kk * T.int64(256), T.int64(256))):
#                     for c in T.vectorized(T.int64(8)):
#                         panels[T.int64(0), k, c] = T.Cast("float32", w[k + kk * T.int64(256), c + jb * T.int64(8)])
#                 for ib in range(T.int64(4)):
#                     acc = T.alloc_local((T.int64(5), T.int64(8)))
#                     if kk == T.int64(0):
#                         for r in T.unroll(T.int64(5)):
#                             for c in T.vectorized(T.int64(8)):
#                                 acc[r, c] = T.float32(0.0)
#                     else:
#                         for r in T.unroll(T.int64(5)):
#                             for c in T.vectorized(T.int64(8)):
#                                 acc[r, c] = y[ib * T.int64(5) + r, c + jb * T.int64(8)]
#                     for k in range(T.min(T.int64(400) - kk * T.int64(256), T.int64(256))):
#                         for r in T.unroll(T.int64(5)):
#                             for c in T.vectorized(T.int64(8)):
#                                 acc[r, c] = T.fma(x[ib * T.int64(5) + r, k + kk * T.int64(256)], panels[T.int64(0), k, c], acc[r, c])
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             y[ib * T.int64(5) + r, c + jb * T.int64(8)] = acc[r, c]
#         panels_1 = T.alloc_buffer((T.int64(1), T.int64(256), T.int64(8)))
#         for kk in range(T.int64(2)):
#             for k in range(T.min(T.int64(400) - kk * T.int64(256), T.int64(256))):
#                 for c in T.vectorized(T.int64(8)):
#                     panels_1[T.int64(0), k, c] = T.float32(0.0)
#                 for c in T.vectorized(T.int64(4)):
#                     panels_1[T.int64(0), k, c] = T.Cast("float32", w[k + kk * T.int64(256), c + T.int64(32)])
#             for ib in range(T.int64(4)):
#                 acc_1 = T.alloc_local((T.int64(5), T.int64(8)))
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc_1[r, c] = T.float32(0.0)
#                 if kk > T.int64(0):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(4)):
#                             acc_1[r, c] = y[ib * T.int64(5) + r, c + T.int64(32)]
#                 for k in range(T.min(T.int64(400) - kk * T.int64(256), T.int64(256))):
#                     for r in T.unroll(T.int64(5)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc_1[r, c] = T.fma(x[ib * T.int64(5) + r, k + kk * T.int64(256)], panels_1[T.int64(0), k, c], acc_1[r, c])
#                 for r in T.unroll(T.int64(5)):
#                     for c in T.vectorized(T.int64(4)):
#                         y[ib * T.int64(5) + r, c + T.int64(32)] = acc_1[r, c]
