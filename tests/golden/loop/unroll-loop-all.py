# RUN: opt -p "UnrollLoop(limit=3, all=true)" --verify-each --roundtrip-each --check-each
# Serial loops too, up to the limit that is given; with steps; from another start.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(B: T.Buffer((64,), "float32")):
        for i in range(3):
            B[i] = T.float32(0)
        for i in range(4):
            B[i] = T.float32(1)
        for i in range(10, 16, 3):
            B[i] = T.float32(2)
        for i in T.parallel(2):
            B[i] = T.float32(3)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def kernel(B: T.Buffer((64,), "float32")):
#         B[0] = T.float32(0.0)
#         B[1] = T.float32(0.0)
#         B[2] = T.float32(0.0)
#         for i in range(4):
#             B[i] = T.float32(1.0)
#         B[10] = T.float32(2.0)
#         B[13] = T.float32(2.0)
#         for i in T.parallel(2):
#             B[i] = T.float32(3.0)
