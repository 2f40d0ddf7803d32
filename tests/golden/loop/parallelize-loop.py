# RUN: opt -p "ParallelizeLoop(grain=4096)" --verify-each --roundtrip-each --check-each
# Outermost loops that are independent and worth it; what is marked and dependent becomes serial.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def marked(A: T.Buffer(("n", 64), "float32"), B: T.Buffer(("n", 64), "float32")):
        n = T.int64()
        for i in range(n):
            for j in range(64):
                B[i, j] = A[i, j]
        # not the outer one, which repeats the same stores
        for r in range(4):
            for i in range(64):
                for j in range(64):
                    B[i, j] = A[i, j]

    # too little to do; a sum
    @T.prim_func
    def kept(A: T.Buffer((4096,), "float32"), s: T.Buffer((1,), "float32")):
        for i in range(4095):
            A[i] = T.float32(0)
        for i in range(4096):
            s[0] = s[0] + A[i]

    @T.prim_func
    def made_serial(A: T.Buffer((4096,), "float32")):
        for i in T.parallel(4095):
            A[i + 1] = A[i]
        for i in T.parallel(16):
            A[i] = T.float32(1)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func
#     def kept(A: T.Buffer((4096,), "float32"), s: T.Buffer((1,), "float32")):
#         for i in range(4095):
#             A[i] = T.float32(0.0)
#         for i in range(4096):
#             s[0] = s[0] + A[i]
#
#     @T.prim_func
#     def made_serial(A: T.Buffer((4096,), "float32")):
#         for i in range(4095):
#             A[i + 1] = A[i]
#         for i in T.parallel(16):
#             A[i] = T.float32(1.0)
#
#     @T.prim_func
#     def marked(A: T.Buffer((n, 64), "float32"), B: T.Buffer((n, 64), "float32")):
#         for i in T.parallel(n):
#             for j in range(64):
#                 B[i, j] = A[i, j]
#         for r in range(4):
#             for i in T.parallel(64):
#                 for j in range(64):
#                     B[i, j] = A[i, j]
