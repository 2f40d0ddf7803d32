# RUN: opt -p CompactBufferAllocation --verify-each --roundtrip-each --check-each
# An extent that is known does not become one that is not, though it would be smaller: what is known lies on
# the stack.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def main(x: T.Buffer((T.int64(8),), "float32"), y: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            s = T.alloc_buffer((T.int64(4),), "float32")
            s[i % T.int64(4)] = x[i]
            s[T.int64(3)] = x[i]
            y[i] = s[i % T.int64(4)]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def main(x: T.Buffer((T.int64(8),), "float32"), y: T.Buffer((T.int64(8),), "float32")):
#         for i in range(T.int64(8)):
#             s = T.alloc_buffer((T.int64(4),))
#             s[i % T.int64(4)] = x[i]
#             s[T.int64(3)] = x[i]
#             y[i] = s[i % T.int64(4)]
