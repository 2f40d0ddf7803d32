# RUN: opt -p CompactBufferAllocation --verify-each --roundtrip-each --check-each
# Each axis shrinks by itself: nothing is known of the place that is read from `to`, but the row is that of the loop.
# What is out of bounds stays so: that axis keeps its extent.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def main(to: T.Buffer((T.int64(8), T.int64(4)), "int64"), y: T.Buffer((T.int64(8),), "float32")):
        s = T.alloc_buffer((T.int64(8), T.int64(4)), "float32")
        for i in range(T.int64(8)):
            for j in range(T.int64(4)):
                s[i, j] = T.float32(0)
            s[i, to[i, T.int64(0)]] = T.float32(1)
            y[i] = s[i, T.int64(3)]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def main(to: T.Buffer((T.int64(8), T.int64(4)), "int64"), y: T.Buffer((T.int64(8),), "float32")):
#         for i in range(T.int64(8)):
#             s = T.alloc_buffer((T.int64(1), T.int64(4)))
#             for j in range(T.int64(4)):
#                 s[T.int64(0), j] = T.float32(0.0)
#             s[T.int64(0), to[i, T.int64(0)]] = T.float32(1.0)
#             y[i] = s[T.int64(0), T.int64(3)]
