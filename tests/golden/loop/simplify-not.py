# RUN: opt -p Simplify --verify-each --roundtrip-each --check-each
# What looks simple and is not: the text of each kernel does not change.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    # i * 65536 * 65536 wraps; n may be 0, and what is divided by 0 is 0 here; x is any number
    @T.prim_func
    def wraps(A: T.Buffer(("n",), "int32"), B: T.Buffer(("n",), "int64"), x: T.int32, y: T.int64):
        n = T.int64()
        for i in range(100000):
            A[0] = i * 65536 // 65536
        for i in range(n):
            B[i] = y * T.int64(2) // T.int64(2) + i // n * n
        for i in range(8):
            A[i] = (x + i) * 2 // 2
            if x + 1 > x:
                A[i] = 0

    # truncating and rounding down differ below 0
    @T.prim_func
    def negative(A: T.Buffer((8,), "int32")):
        for i in range(-3, 5):
            A[i + 3] = T.truncdiv(i, 2) + T.truncmod(i, 2)

    # -0.0 + 0.0 is 0.0, inf * 0.0 is nan
    @T.prim_func
    def floats(A: T.Buffer((8,), "float32")):
        for i in range(8):
            A[i] = A[i] + T.float32(0)
            A[i] = A[i] * T.float32(0)
            A[i] = A[i] - A[i]

    # an access out of bounds is an error, also where nobody needs the element
    @T.prim_func
    def checks(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int64):
        t = T.alloc_buffer((8,), "float32")
        for i in range(n):
            t[i] = A[i]
            B[i] = B[i]
            if A[i] > T.float32(0):
                pass

    # the jump leaves the loop around
    @T.prim_func
    def jump(A: T.Buffer((8,), "float32")):
        for i in range(8):
            for j in range(1):
                if A[i] > T.float32(0):
                    break
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
#     def checks(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int64):
#         t = T.alloc_buffer((8,))
#         for i in range(n):
#             t[i] = A[i]
#             B[i] = B[i]
#             if A[i] > T.float32(0.0):
#                 pass
#
#     @T.prim_func
#     def floats(A: T.Buffer((8,), "float32")):
#         for i in range(8):
#             A[i] = T.Add(A[i], T.float32(0.0))
#             A[i] = T.Mul(A[i], T.float32(0.0))
#             A[i] = A[i] - A[i]
#
#     @T.prim_func
#     def jump(A: T.Buffer((8,), "float32")):
#         for i, j in T.grid(8, 1):
#             if A[i] > T.float32(0.0):
#                 break
#             A[i] = T.float32(1.0)
#
#     @T.prim_func
#     def negative(A: T.Buffer((8,), "int32")):
#         for i in range(-3, 5):
#             A[i + 3] = T.Div(i, 2) + T.truncmod(i, 2)
#
#     @T.prim_func
#     def wraps(A: T.Buffer((n,), "int32"), B: T.Buffer((n,), "int64"), x: T.int32, y: T.int64):
#         for i in range(100000):
#             A[0] = i * 65536 // 65536
#         for i in range(n):
#             B[i] = y * T.int64(2) // T.int64(2) + i // n * n
#         for i in range(8):
#             A[i] = (x + i) * 2 // 2
#             if x + 1 > x:
#                 A[i] = 0
