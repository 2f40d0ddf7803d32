# RUN: opt -p ScheduleCPU(vector_bytes=32) --verify-each --roundtrip-each --check-each
# Of half as many lanes, loads at places that are loaded have to be worth more than a select.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def resized(x: T.Buffer((64, 56), "float32"), at: T.Buffer((112,), "int64"), y: T.Buffer((64, 112), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i, j in T.grid(64, 112):
            y[i, j] = x[i, T.Select(at[j] < T.int64(0), at[j] + T.int64(56), at[j])]

    @T.prim_func(private=True)
    def twice(x: T.Buffer((56,), "float32"), at: T.Buffer((112,), "int64"), z: T.Buffer((112,), "float32"), y: T.Buffer((112,), "float32")):
        T.func_attr({"tirx.noalias": True})
        for j in range(112):
            y[j] = x[at[j]] + z[at[j]]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def resized(x: T.Buffer((64, 56), "float32"), at: T.Buffer((112,), "int64"), y: T.Buffer((64, 112), "float32")):
#         T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
#         for i in T.parallel(64):
#             for j in range(112):
#                 y[i, j] = x[i, T.Select(at[j] < T.int64(0), at[j] + T.int64(56), at[j])]
#
#     @T.prim_func(private=True)
#     def twice(x: T.Buffer((56,), "float32"), at: T.Buffer((112,), "int64"), z: T.Buffer((112,), "float32"), y: T.Buffer((112,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         for j in range(112):
#             y[j] = x[at[j]] + z[at[j]]
