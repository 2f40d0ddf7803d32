# RUN: opt -p ScheduleCPU(vector_bytes=64)
# Rows that are loaded backwards or few elements apart are vectors, and stores few elements apart where masks cost
# nothing; elements from anywhere are, where enough is done with them.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def strides(x: T.Buffer((T.int64(64),), "float32"), i: T.Buffer((T.int64(16),), "int64"), y: T.Buffer((T.int64(7), T.int64(16)), "float32")):
        for a in range(T.int64(16)):
            y[T.int64(0), a] = x[T.int64(63) - a]
        for b in range(T.int64(15)):
            y[T.int64(1), b] = x[b * T.int64(4)]
        for c in range(T.int64(8)):
            y[T.int64(2), c * T.int64(2)] = x[c]
        for d in range(T.int64(14)):
            y[T.int64(3), d] = x[i[d]]
        for e in range(T.int64(13)):
            y[T.int64(4), e] = T.float32(1) / x[i[e]]
        for f in range(T.int64(12)):
            y[T.int64(5), f] = x[f * T.int64(5)]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def strides(x: T.Buffer((T.int64(64),), "float32"), i: T.Buffer((T.int64(16),), "int64"), y: T.Buffer((T.int64(7), T.int64(16)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for a in T.vectorized(T.int64(16)):
#             y[T.int64(0), a] = x[T.int64(63) - a]
#         for b in T.vectorized(T.int64(15)):
#             y[T.int64(1), b] = x[b * T.int64(4)]
#         for c in T.vectorized(T.int64(8)):
#             y[T.int64(2), c * T.int64(2)] = x[c]
#         for d in range(T.int64(14)):
#             y[T.int64(3), d] = x[i[d]]
#         for e in T.vectorized(T.int64(13)):
#             y[T.int64(4), e] = T.float32(1.0) / x[i[e]]
#         for f in range(T.int64(12)):
#             y[T.int64(5), f] = x[f * T.int64(5)]
