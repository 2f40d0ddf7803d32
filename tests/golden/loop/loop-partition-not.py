# RUN: opt -p LoopPartition --verify-each --roundtrip-each --check-each
# Conditions at which no loop can be cut: the text of each kernel does not change.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    # of elements; not linear; equal or not; of a let; where i + k may wrap
    @T.prim_func
    def conditions(A: T.Buffer((64,), "float32"), I: T.Buffer((64,), "int32"), k: T.int32):
        for i in range(64):
            if I[i] < 5:
                A[i] = T.float32(0)
            if i % 8 < 5:
                A[i] = T.float32(1)
            if i != 7:
                A[i] = T.float32(2)
            v: T.let[T.int32] = I[0]
            if i < v:
                A[i] = T.float32(3)
            if i + k < 5:
                A[i] = T.float32(4)

    # loops that are not serial, that jump or step
    @T.prim_func
    def loops(A: T.Buffer((64,), "float32")):
        for i in T.parallel(64):
            if i < 5:
                A[i] = T.float32(0)
        for i in range(64):
            if i < 5:
                continue
            A[i] = T.float32(1)
        for i in range(0, 64, 2):
            if i < 5:
                A[i] = T.float32(2)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def conditions(A: T.Buffer((64,), "float32"), I_1: T.Buffer((64,), "int32"), k: T.int32):
#         for i in range(64):
#             if I_1[i] < 5:
#                 A[i] = T.float32(0.0)
#             if i % 8 < 5:
#                 A[i] = T.float32(1.0)
#             if i != 7:
#                 A[i] = T.float32(2.0)
#             v: T.let[T.int32] = I_1[0]
#             if i < v:
#                 A[i] = T.float32(3.0)
#             if i + k < 5:
#                 A[i] = T.float32(4.0)
#
#     @T.prim_func
#     def loops(A: T.Buffer((64,), "float32")):
#         for i in T.parallel(64):
#             if i < 5:
#                 A[i] = T.float32(0.0)
#         for i in range(64):
#             if i < 5:
#                 continue
#             A[i] = T.float32(1.0)
#         for i in range(0, 64, 2):
#             if i < 5:
#                 A[i] = T.float32(2.0)
