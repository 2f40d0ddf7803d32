# RUN: opt -p ScheduleCPU(vector_bytes=16) --verify-each --roundtrip-each --check-each
# What stays: sums in 16 bits, whose order matters; sums that are read on the way; a loop that reads what it
# wrote before; one that reads in strides; a sum whose storage has a second name; a short loop; and what its
# author says is scheduled.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def half(x: T.Buffer((T.int64(90),), "float16"), y: T.Buffer((T.int64(1),), "float16")):
        for k in range(T.int64(90)):
            y[T.int64(0)] = y[T.int64(0)] + x[k]

    @T.prim_func
    def running(x: T.Buffer((T.int64(90),), "float32"), s: T.Buffer((T.int64(1),), "float32"), y: T.Buffer((T.int64(90),), "float32")):
        for k in range(T.int64(90)):
            s[T.int64(0)] = s[T.int64(0)] + x[k]
            y[k] = s[T.int64(0)]

    @T.prim_func
    def recurrence(x: T.Buffer((T.int64(90),), "float32")):
        for k in range(T.int64(89)):
            x[k + T.int64(1)] = x[k + T.int64(1)] + x[k]

    @T.prim_func
    def transposed(x: T.Buffer((T.int64(90), T.int64(80)), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        for k in range(T.int64(90)):
            y[T.int64(0)] = y[T.int64(0)] + x[k, T.int64(3)]

    @T.prim_func
    def two_names(y: T.Buffer((T.int64(90),), "float32")):
        other = T.decl_buffer((T.int64(90),), "float32", data=y.data)
        for k in range(T.int64(90)):
            y[T.int64(0)] = y[T.int64(0)] + other[k]

    @T.prim_func
    def short(x: T.Buffer((T.int64(7),), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        for k in range(T.int64(7)):
            y[T.int64(0)] = y[T.int64(0)] + x[k]

    @T.prim_func
    def done(x: T.Buffer((T.int64(90),), "float32"), y: T.Buffer((T.int64(90),), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for k in range(T.int64(90)):
            y[k] = x[k]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def done(x: T.Buffer((T.int64(90),), "float32"), y: T.Buffer((T.int64(90),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for k in range(T.int64(90)):
#             y[k] = x[k]
#
#     @T.prim_func
#     def half(x: T.Buffer((T.int64(90),), "float16"), y: T.Buffer((T.int64(1),), "float16")):
#         for k in range(T.int64(90)):
#             y[T.int64(0)] = y[T.int64(0)] + x[k]
#
#     @T.prim_func
#     def recurrence(x: T.Buffer((T.int64(90),), "float32")):
#         for k in range(T.int64(89)):
#             x[k + T.int64(1)] = x[k + T.int64(1)] + x[k]
#
#     @T.prim_func
#     def running(x: T.Buffer((T.int64(90),), "float32"), s: T.Buffer((T.int64(1),), "float32"), y: T.Buffer((T.int64(90),), "float32")):
#         for k in range(T.int64(90)):
#             s[T.int64(0)] = s[T.int64(0)] + x[k]
#             y[k] = s[T.int64(0)]
#
#     @T.prim_func
#     def short(x: T.Buffer((T.int64(7),), "float32"), y: T.Buffer((T.int64(1),), "float32")):
#         for k in range(T.int64(7)):
#             y[T.int64(0)] = y[T.int64(0)] + x[k]
#
#     @T.prim_func
#     def transposed(x: T.Buffer((T.int64(90), T.int64(80)), "float32"), y: T.Buffer((T.int64(1),), "float32")):
#         for k in range(T.int64(90)):
#             y[T.int64(0)] = y[T.int64(0)] + x[k, T.int64(3)]
#
#     @T.prim_func
#     def two_names(y: T.Buffer((T.int64(90),), "float32")):
#         other = T.decl_buffer((T.int64(90),), data=y.data)
#         for k in range(T.int64(90)):
#             y[T.int64(0)] = y[T.int64(0)] + other[k]
