# RUN: opt -p LowerIntrin(fma="off")
# pi / 2 is subtracted in five parts: products of the first four are exact. What the third difference rounds away is kept.
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    for i in range(8):
        A[i] = T.cos(A[i])
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func
# def main(A: T.Buffer((8,), "float32")):
#     x = T.float32()
#     a = T.float32()
#     t = T.float32()
#     n = T.float32()
#     high = T.float32()
#     p = T.float32()
#     r = T.float32()
#     r_1 = T.float32()
#     q = T.int32()
#     q_1 = T.int32()
#     z = T.float32()
#     for i in range(8):
#         A[i] = T.Let(T.Let(T.if_then_else(a <= T.float32(12288.0), T.Let(T.Let(T.Let(T.Let(T.Let(T.Let(T.Let(T.Let(T.Let(T.reinterpret("float32", T.reinterpret("int32", T.Select(q_1 & 1 == 0, r_1 * z * ((T.float32(-0.00019484147196635604) * z + T.float32(0.0083319246768951416)) * z + T.float32(-0.16666650772094727)) + r_1, z * (z * ((T.float32(2.4393650164711289e-05) * z + T.float32(-0.0013886959059163928)) * z + T.float32(0.041666638106107712)) + T.float32(-0.5)) + T.float32(1.0))) ^ q_1 << 30 & -2147483648), where={z: r_1 * r_1}), where={q_1: q + 1}), where={q: T.reinterpret("int32", t)}), where={r_1: n * T.float32(5.1453114636784356e-14) + (r + (n * T.float32(-6.0822458181064576e-11) + (high - r - p)))}), where={r: high - p}), where={p: n * T.float32(-1.6298145055770874e-07)}), where={high: n * T.float32(-0.00048398971557617188) + (n * T.float32(-1.5703125) + a)}), where={n: t - T.float32(12582912.0)}), where={t: a * T.float32(0.63661974668502808) + T.float32(12582912.0)}), T.cos(x)), where={a: T.fabs(x)}), where={x: A[i]})
