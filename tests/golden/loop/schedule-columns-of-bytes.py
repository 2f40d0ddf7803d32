# RUN: opt -p ScheduleCPU(vector_bytes=64)
# Columns of one byte are cut at 1024, as many bytes as 256 columns of float32.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def sums(x: T.Buffer((T.int64(512), T.int64(2048)), "int8"), y: T.Buffer((T.int64(2048),), "int8")):
        for k, j in T.grid(T.int64(512), T.int64(2048)):
            y[j] = y[j] + x[k, j]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def sums(x: T.Buffer((T.int64(512), T.int64(2048)), "int8"), y: T.Buffer((T.int64(2048),), "int8")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for jo in T.parallel(T.int64(2)):
#             for k in range(T.int64(512)):
#                 for i in T.vectorized(T.int64(1024)):
#                     y[jo * T.int64(1024) + i] = y[jo * T.int64(1024) + i] + x[k, jo * T.int64(1024) + i]
