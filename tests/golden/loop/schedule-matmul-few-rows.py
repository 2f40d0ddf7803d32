# RUN: opt -p ScheduleCPU(vector_bytes=32,fma="off") --verify-each --roundtrip-each --check-each
# Few rows: the matrix is read once, in its order, eight rows at a time and a rest of three. Without fused
# multiply-add the sums are those of the script.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def product(x: T.Buffer((T.int64(19),), "float32"), w: T.Buffer((T.int64(19), T.int64(500)), "float32"), y: T.Buffer((T.int64(500),), "float32")):
        for j in range(T.int64(500)):
            y[j] = T.float32(0)
        for k, j in T.grid(T.int64(19), T.int64(500)):
            y[j] = y[j] + x[k] * w[k, j]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def product(x: T.Buffer((T.int64(19),), "float32"), w: T.Buffer((T.int64(19), T.int64(500)), "float32"), y: T.Buffer((T.int64(500),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for jj in T.vectorized(T.int64(500)):
#             y[jj] = T.float32(0.0)
#         for ko in range(T.int64(2)):
#             for ii in T.vectorized(T.int64(500)):
#                 y[ii] = y[ii] + x[ko * T.int64(8)] * w[ko * T.int64(8), ii] + x[ko * T.int64(8) + T.int64(1)] * w[ko * T.int64(8) + T.int64(1), ii] + x[ko * T.int64(8) + T.int64(2)] * w[ko * T.int64(8) + T.int64(2), ii] + x[ko * T.int64(8) + T.int64(3)] * w[ko * T.int64(8) + T.int64(3), ii] + x[ko * T.int64(8) + T.int64(4)] * w[ko * T.int64(8) + T.int64(4), ii] + x[ko * T.int64(8) + T.int64(5)] * w[ko * T.int64(8) + T.int64(5), ii] + x[ko * T.int64(8) + T.int64(6)] * w[ko * T.int64(8) + T.int64(6), ii] + x[ko * T.int64(8) + T.int64(7)] * w[ko * T.int64(8) + T.int64(7), ii]
#         for jj in T.vectorized(T.int64(500)):
#             y[jj] = y[jj] + x[T.int64(16)] * w[T.int64(16), jj] + x[T.int64(17)] * w[T.int64(17), jj] + x[T.int64(18)] * w[T.int64(18), jj]
