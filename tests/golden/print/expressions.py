# RUN: opt
# Signs and as few parentheses as Python needs; functions where Python would fold.
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((9,), "int32"), F: T.Buffer((9,), "float32"), B: T.Buffer((9,), "bool"), n: T.int64, u: T.uint8):
    a: T.let[T.int32] = A[0]
    b: T.let[T.int32] = A[1]
    A[0] = a + b * (a - (b - 1)) // (a % (b + 2)) - (a - b - 1)
    A[1] = T.Add(a, 0) * T.Mul(b, 1) + T.Sub(1, 2) + 2 * 3
    A[2] = (a & b | 3) ^ (a << 2 + b) & ~a >> (b >> 1)
    A[3] = T.truncdiv(a, b) + T.truncmod(a, b) + T.min(a, b) - T.max(a, 3) - -a
    A[4] = T.Select(a < b, a, b) if 0 <= a < n else T.Cast("int32", n)
    B[0] = a < b and (b < a or not (a == b and b != 2)) and T.bool(True)
    B[1] = (a < b) == (b < a)
    F[0] = T.exp(F[1]) ** 2 / F[2] + T.float32(0.1) - 1e-7 + T.float32("inf") + 3
    F[1] = T.Cast("float32", u) + T.reinterpret("float32", a) + T.max_value("float32")
    F[2] = T.Let(F[0] + F[0], where={a: b})
    F[3] = -F[2] + T.fma(F[0], F[1], F[2]) + T.pow(F[0], 0.5)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func
# def main(A: T.Buffer((9,), "int32"), F: T.Buffer((9,), "float32"), B: T.Buffer((9,), "bool"), n: T.int64, u: T.uint8):
#     a: T.let[T.int32] = A[0]
#     b: T.let[T.int32] = A[1]
#     A[0] = a + b * (a - (b - 1)) // (a % (b + 2)) - (a - b - 1)
#     A[1] = T.Add(a, 0) * T.Mul(b, 1) + T.Sub(1, 2) + 6
#     A[2] = (a & b | 3) ^ a << 2 + b & ~a >> (b >> 1)
#     A[3] = T.Div(a, b) + T.truncmod(a, b) + T.min(a, b) - T.max(a, 3) - a * -1
#     A[4] = T.if_then_else(0 <= a and T.Cast("int64", a) < n, T.Select(a < b, a, b), T.Cast("int32", n))
#     B[0] = T.And(a < b and (b < a or not (a == b and b != 2)), T.bool(True))
#     B[1] = (a < b) == (b < a)
#     F[0] = T.pow(T.exp(F[1]), T.float32(2.0)) / F[2] + T.float32(0.10000000000000001) - T.float32(9.9999999999999995e-08) + T.float32("inf") + T.float32(3.0)
#     F[1] = T.Cast("float32", u) + T.reinterpret("float32", a) + T.float32(340282346638528859811704183484516925440.0)
#     F[2] = T.Let(F[0] + F[0], where={a: b})
#     F[3] = F[2] * T.float32(-1.0) + T.fma(F[0], F[1], F[2]) + T.pow(F[0], T.float32(0.5))
