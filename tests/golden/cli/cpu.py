# RUN: opt --cpu=x86-64-v4 -p ScheduleCPU
# Schedules are made for the processor that is asked for, whatever this one is: four accumulators of 64 bytes.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def row_sums(x: T.Buffer((T.int64(8), T.int64(256)), "float32"), y: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            y[i] = T.float32(0)
            for k in range(T.int64(256)):
                y[i] = y[i] + x[i, k]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def row_sums(x: T.Buffer((T.int64(8), T.int64(256)), "float32"), y: T.Buffer((T.int64(8),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(T.int64(8)):
#             y[i] = T.float32(0.0)
#             acc = T.alloc_local((T.int64(64),))
#             for l in T.vectorized(T.int64(64)):
#                 acc[l] = T.float32(0.0)
#             for ko in range(T.int64(4)):
#                 for l in T.vectorized(T.int64(64)):
#                     acc[l] = acc[l] + x[i, ko * T.int64(64) + l]
#             for l in T.vectorized(T.int64(32)):
#                 acc[l] = acc[l] + acc[l + T.int64(32)]
#             for l in T.vectorized(T.int64(16)):
#                 acc[l] = acc[l] + acc[l + T.int64(16)]
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = acc[l] + acc[l + T.int64(8)]
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = acc[l] + acc[l + T.int64(4)]
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = acc[l] + acc[l + T.int64(2)]
#             y[i] = y[i] + (acc[T.int64(0)] + acc[T.int64(1)])
