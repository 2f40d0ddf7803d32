# RUN: opt -p ScheduleCPU(vector_bytes=32) --verify-each --roundtrip-each --check-each
# A transpose goes tile by tile, with what is computed on the way; the rest of 8 rows and 4 columns in
# smaller ones. In place it would read what it wrote, and an element under a condition may not be there.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def turned(x: T.Buffer((T.int64(100), T.int64(40)), "float32"), b: T.Buffer((T.int64(100),), "float32"), y: T.Buffer((T.int64(40), T.int64(100)), "float32")):
        for i, j in T.grid(T.int64(40), T.int64(100)):
            y[i, j] = x[j, i] + b[j]

    @T.prim_func
    def in_place(x: T.Buffer((T.int64(64), T.int64(64)), "float32")):
        for i, j in T.grid(T.int64(64), T.int64(64)):
            x[i, j] = x[j, i]

    @T.prim_func
    def perhaps(x: T.Buffer((T.int64(40), T.int64(40)), "float32"), y: T.Buffer((T.int64(64), T.int64(64)), "float32")):
        for i, j in T.grid(T.int64(64), T.int64(64)):
            y[i, j] = T.if_then_else(i < T.int64(40) and j < T.int64(40), x[j, i], T.float32(0))
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def in_place(x: T.Buffer((T.int64(64), T.int64(64)), "float32")):
#         for i, j in T.grid(T.int64(64), T.int64(64)):
#             x[i, j] = x[j, i]
#
#     @T.prim_func
#     def perhaps(x: T.Buffer((T.int64(40), T.int64(40)), "float32"), y: T.Buffer((T.int64(64), T.int64(64)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.parallel(T.int64(64)):
#             for j in range(T.int64(64)):
#                 y[i, j] = T.if_then_else(i < T.int64(40) and j < T.int64(40), x[j, i], T.float32(0.0))
#
#     @T.prim_func
#     def turned(x: T.Buffer((T.int64(100), T.int64(40)), "float32"), b: T.Buffer((T.int64(100),), "float32"), y: T.Buffer((T.int64(40), T.int64(100)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for both in T.parallel(T.int64(21)):
#             tile = T.alloc_local((T.int64(16), T.int64(16)))
#             for jj in range(T.min(T.int64(100) - both % T.int64(7) * T.int64(16), T.int64(16))):
#                 for ii in T.vectorized(T.min(T.int64(40) - both // T.int64(7) * T.int64(16), T.int64(16))):
#                     tile[jj, ii] = x[jj + both % T.int64(7) * T.int64(16), ii + both // T.int64(7) * T.int64(16)]
#             for ii in range(T.min(T.int64(40) - both // T.int64(7) * T.int64(16), T.int64(16))):
#                 for jj in T.vectorized(T.min(T.int64(100) - both % T.int64(7) * T.int64(16), T.int64(16))):
#                     y[ii + both // T.int64(7) * T.int64(16), jj + both % T.int64(7) * T.int64(16)] = tile[jj, ii] + b[jj + both % T.int64(7) * T.int64(16)]
