# RUN: opt
# Operands are brought to one type as TVM does it; what is written prints back the same.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32"), H: T.Buffer((16,), "float16"), P: T.Buffer((16,), "int8"), i: T.int32, n: T.int64):
    A[0] = i + n
    A[1] = H[0] + A[1] * 2
    A[2] = P[0] + 1
    A[3] = -A[2] if 0 <= i < n and not A[1] > 1 else 1
    A[4] = T.Select(i % 2 == 0 or i // 4 > 1, T.exp(A[0]), T.sqrt(A[1]))
    A[5] = T.truncdiv(i, 3) + T.truncmod(i, 3) + T.ceildiv(i, 4)
    A[6] = T.if_then_else(i > 0, T.float32("inf"), T.float32("nan"))
    A[7] = T.min(i, n) << 2 | 1 & ~i
    A[8:12] = A[0:4] * A[4]
    A[12:16] = T.Broadcast(T.float32(1), 4)
    P[1] = 3 * 4 + 2 ** 3
    A[T.int64(1) + n] = T.Cast("float32", 1)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func(s_tir=True)
# def main(A: T.Buffer((16,), "float32"), H: T.Buffer((16,), "float16"), P: T.Buffer((16,), "int8"), i: T.int32, n: T.int64):
#     A[0] = T.Cast("float32", T.Cast("int64", i) + n)
#     A[1] = T.Cast("float32", H[0]) + A[1] * T.float32(2.0)
#     A[2] = T.Cast("float32", T.Cast("int32", P[0]) + 1)
#     A[3] = T.if_then_else(0 <= i and T.Cast("int64", i) < n and not A[1] > T.float32(1.0), A[2] * T.float32(-1.0), T.float32(1.0))
#     A[4] = T.Select(i % 2 == 0 or i // 4 > 1, T.exp(A[0]), T.sqrt(A[1]))
#     A[5] = T.Cast("float32", T.Div(i, 3) + T.truncmod(i, 3) + (i + 4 - 1) // 4)
#     A[6] = T.if_then_else(i > 0, T.float32("inf"), T.float32("nan"))
#     A[7] = T.Cast("float32", T.min(T.Cast("int64", i), n) << T.int64(2) | T.Cast("int64", T.bitwise_and(1, ~i)))
#     A[8:12] = A[T.Ramp(0, 1, 4)] * T.Broadcast(A[4], 4)
#     A[12:16] = T.Broadcast(T.float32(1.0), 4)
#     P[1] = T.int8(20)
#     A[T.int64(1) + n] = T.Cast("float32", 1)
