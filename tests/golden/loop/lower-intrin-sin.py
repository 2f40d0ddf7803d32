# RUN: opt -p LowerIntrin(fma="on"),LowerIntrin(fma="on")
# Large arguments are left to the C library: a call that the pass leaves alone when it runs again.
# Functions of float64 stay as they are, and so does tan.
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float64")):
    for i in range(8):
        A[i] = T.sin(A[i])
        D[i] = T.sin(D[i]) + T.cos(D[i])
        A[i] = T.tan(A[i])
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func
# def main(A: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float64")):
#     x = T.float32()
#     a = T.float32()
#     t = T.float32()
#     n = T.float32()
#     r = T.float32()
#     q = T.int32()
#     z = T.float32()
#     for i in range(8):
#         A[i] = T.Let(T.Let(T.if_then_else(a <= T.float32(131072.0), T.Let(T.Let(T.Let(T.Let(T.Let(T.reinterpret("float32", T.reinterpret("int32", T.Select(q & 1 == 0, T.fma(r * z, T.fma(T.fma(T.float32(-0.00019484147196635604), z, T.float32(0.0083319246768951416)), z, T.float32(-0.16666650772094727)), r), T.fma(z, T.fma(z, T.fma(T.fma(T.float32(2.4393650164711289e-05), z, T.float32(-0.0013886959059163928)), z, T.float32(0.041666638106107712)), T.float32(-0.5)), T.float32(1.0)))) ^ (T.reinterpret("int32", x) ^ q << 30) & -2147483648), where={z: r * r}), where={q: T.reinterpret("int32", t)}), where={r: T.fma(n, T.float32(1.7151245100058819e-15), T.fma(n, T.float32(4.3711388286737929e-08), T.fma(n, T.float32(-1.5707963705062866), a)))}), where={n: t - T.float32(12582912.0)}), where={t: T.fma(a, T.float32(0.63661974668502808), T.float32(12582912.0))}), T.sin(x)), where={a: T.fabs(x)}), where={x: A[i]})
#         D[i] = T.sin(D[i]) + T.cos(D[i])
#         A[i] = T.tan(A[i])
