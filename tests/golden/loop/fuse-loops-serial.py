# RUN: opt -p "FuseLoops(serial=true)" --verify-each --roundtrip-each --check-each
# `serial` also joins loops whose iterations then have to run in order, but none that change the result.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def vectors(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
        for i in range(64):
            B[i] = T.exp(A[i])
        for i in range(64):
            s[0] = s[0] + B[i]

    @T.prim_func
    def neighbours(A: T.Buffer((65,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
        for i in range(64):
            A[i + 1] = A[i + 1] * T.float32(2)
        for i in range(64):
            B[i] = A[i]
        for i in range(64):
            C[i] = A[63 - i]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def neighbours(A: T.Buffer((65,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
#         for i in range(64):
#             A[i + 1] = A[i + 1] * T.float32(2.0)
#             B[i] = A[i]
#         for i in range(64):
#             C[i] = A[63 - i]
#
#     @T.prim_func
#     def vectors(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.Buffer((1,), "float32")):
#         for i in range(64):
#             B[i] = T.exp(A[i])
#             s[0] = s[0] + B[i]
