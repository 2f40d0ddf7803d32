# RUN: opt -p LowerIntrin(fma="on")
# float32 and float16 become arithmetic, in any statement; float64, vectors and functions without a row stay.
# The load that T.if_then_else guards stays behind its condition.
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((8,), "float32"), H: T.Buffer((8,), "float16"), D: T.Buffer((8,), "float64"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = T.if_then_else(i < 4, T.rsqrt(A[i + 4]), T.float32(0))
    for i in range(8):
        if T.rsqrt(B[i]) < T.float32(2):
            H[i] = T.rsqrt(H[i])
    for i in range(8):
        D[i] = T.exp(D[i])
        B[i] = T.atan(B[i]) + T.sqrt(B[i])
    A[0:4] = T.exp(A[0:4])
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func
# def main(A: T.Buffer((8,), "float32"), H: T.Buffer((8,), "float16"), D: T.Buffer((8,), "float64"), B: T.Buffer((8,), "float32")):
#     x = T.float32()
#     x_1 = T.float32()
#     x_2 = T.float32()
#     for i in range(8):
#         B[i] = T.if_then_else(i < 4, T.Let(T.float32(1.0) / T.sqrt(x), where={x: A[i + 4]}), T.float32(0.0))
#     for i in range(8):
#         if T.Let(T.float32(1.0) / T.sqrt(x_1), where={x_1: B[i]}) < T.float32(2.0):
#             H[i] = T.Cast("float16", T.Let(T.float32(1.0) / T.sqrt(x_2), where={x_2: T.Cast("float32", H[i])}))
#     for i in range(8):
#         D[i] = T.exp(D[i])
#         B[i] = T.atan(B[i]) + T.sqrt(B[i])
#     A[0:4] = T.exp(A[T.Ramp(0, 1, 4)])
