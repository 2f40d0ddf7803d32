# RUN: opt -p "ScheduleCPU(vector_bytes=32),SplitLoop"
# Extents that a narrow variable just holds: rounded up to whole pieces they would wrap, and no piece would be left.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def known(x: T.Buffer((2147483647,), "int8"), y: T.Buffer((2147483647,), "int8")):
        for i in range(2147483647):
            y[i] = x[i] + T.int8(1)

    @T.prim_func
    def open(x: T.Buffer(("n",), "int8"), y: T.Buffer(("n",), "int8")):
        n = T.int32()
        for i in range(n):
            y[i] = x[i] + T.int8(1)

    @T.prim_func
    def marked(x: T.Buffer((2147483647,), "int8"), y: T.Buffer((2147483647,), "int8")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in range(2147483647):
            y[i] = x[i] + T.int8(1)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def known(x: T.Buffer((2147483647,), "int8"), y: T.Buffer((2147483647,), "int8")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for io in T.parallel(131072):
#             for ii in T.vectorized(T.min(2147483647 - io * 16384, 16384)):
#                 y[io * 16384 + ii] = x[io * 16384 + ii] + T.int8(1)
#
#     @T.prim_func
#     def marked(x: T.Buffer((2147483647,), "int8"), y: T.Buffer((2147483647,), "int8")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(2147483647):
#             y[i] = x[i] + T.int8(1)
#
#     @T.prim_func
#     def open(x: T.Buffer(("n",), "int8"), y: T.Buffer((n,), "int8")):
#         n = T.int32()
#         T.func_attr({"tirx.is_scheduled": True})
#         for io in T.parallel(n // 16384 + T.min(n % 16384, 1)):
#             for ii in T.vectorized(T.min(n - io * 16384, 16384)):
#                 y[io * 16384 + ii] = x[io * 16384 + ii] + T.int8(1)
