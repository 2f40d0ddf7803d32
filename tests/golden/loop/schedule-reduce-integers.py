# RUN: opt -p ScheduleCPU(vector_bytes=32)
# Integers of any width have accumulators, for products too; floats are multiplied in the order of the text.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def sum(x: T.Buffer((T.int64(300),), "int8"), y: T.Buffer((), "int8")):
        y[()] = T.int8(0)
        for k in range(T.int64(300)):
            y[()] = y[()] + x[k]

    @T.prim_func
    def prod(x: T.Buffer((T.int64(300),), "uint16"), y: T.Buffer((), "uint16")):
        y[()] = T.uint16(1)
        for k in range(T.int64(300)):
            y[()] = y[()] * x[k]

    @T.prim_func
    def prod_of_floats(x: T.Buffer((T.int64(300),), "float32"), y: T.Buffer((), "float32")):
        y[()] = T.float32(1)
        for k in range(T.int64(300)):
            y[()] = y[()] * x[k]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def prod(x: T.Buffer((T.int64(300),), "uint16"), y: T.Buffer((), "uint16")):
#         T.func_attr({"tirx.is_scheduled": True})
#         y[()] = T.uint16(1)
#         acc = T.alloc_local((T.int64(64),), "uint16")
#         for l in T.vectorized(T.int64(64)):
#             acc[l] = T.uint16(1)
#         for ko in range(T.int64(4)):
#             for l in T.vectorized(T.int64(64)):
#                 acc[l] = acc[l] * x[ko * T.int64(64) + l]
#         for l in T.vectorized(T.int64(44)):
#             acc[l] = acc[l] * x[T.int64(256) + l]
#         for l in T.vectorized(T.int64(32)):
#             acc[l] = acc[l] * acc[l + T.int64(32)]
#         for l in T.vectorized(T.int64(16)):
#             acc[l] = acc[l] * acc[l + T.int64(16)]
#         for l in T.vectorized(T.int64(8)):
#             acc[l] = acc[l] * acc[l + T.int64(8)]
#         for l in T.vectorized(T.int64(4)):
#             acc[l] = acc[l] * acc[l + T.int64(4)]
#         for l in T.vectorized(T.int64(2)):
#             acc[l] = acc[l] * acc[l + T.int64(2)]
#         y[()] = y[()] * (acc[T.int64(0)] * acc[T.int64(1)])
#
#     @T.prim_func
#     def prod_of_floats(x: T.Buffer((T.int64(300),), "float32"), y: T.Buffer((), "float32")):
#         y[()] = T.float32(1.0)
#         for k in range(T.int64(300)):
#             y[()] = y[()] * x[k]
#
#     @T.prim_func
#     def sum(x: T.Buffer((T.int64(300),), "int8"), y: T.Buffer((), "int8")):
#         T.func_attr({"tirx.is_scheduled": True})
#         y[()] = T.int8(0)
#         acc = T.alloc_local((T.int64(128),), "int8")
#         for l in T.vectorized(T.int64(128)):
#             acc[l] = T.int8(0)
#         for ko in range(T.int64(2)):
#             for l in T.vectorized(T.int64(128)):
#                 acc[l] = acc[l] + x[ko * T.int64(128) + l]
#         for l in T.vectorized(T.int64(44)):
#             acc[l] = acc[l] + x[T.int64(256) + l]
#         for l in T.vectorized(T.int64(64)):
#             acc[l] = acc[l] + acc[l + T.int64(64)]
#         for l in T.vectorized(T.int64(32)):
#             acc[l] = acc[l] + acc[l + T.int64(32)]
#         for l in T.vectorized(T.int64(16)):
#             acc[l] = acc[l] + acc[l + T.int64(16)]
#         for l in T.vectorized(T.int64(8)):
#             acc[l] = acc[l] + acc[l + T.int64(8)]
#         for l in T.vectorized(T.int64(4)):
#             acc[l] = acc[l] + acc[l + T.int64(4)]
#         for l in T.vectorized(T.int64(2)):
#             acc[l] = acc[l] + acc[l + T.int64(2)]
#         y[()] = y[()] + (acc[T.int64(0)] + acc[T.int64(1)])
