# RUN: opt -p InplaceCalls
# Rows and bytes that no part of the larger result can hold: in each a byte would be read after it was written, wherever they lie and
# however the loops run.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def negate(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float32")):
        for i in range(8):
            out[i] = -a[i]

    @T.prim_func(private=True, s_tir=True)
    def turned(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            out[i, j] = a[7 - j]

    @T.prim_func(private=True, s_tir=True)
    def together(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
        for i in T.parallel(4):
            for j in range(8):
                out[i, j] = a[j]

    @T.prim_func(private=True, s_tir=True)
    def first(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float64")):
        for i in range(8):
            out[i] = T.Cast("float64", a[i] - a[0] * a[7])

    @T.prim_func(private=True, s_tir=True)
    def twice(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float64")):
        for i in range(8):
            out[i] = T.float64(0)
        for i in range(8):
            out[i] = out[i] + T.Cast("float64", a[i])

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        t = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        a = R.call_tir(cls.turned, (t,), out_ty=R.Tensor((4, 8), "float32"))
        u = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        b = R.call_tir(cls.together, (u,), out_ty=R.Tensor((4, 8), "float32"))
        v = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        c = R.call_tir(cls.first, (v,), out_ty=R.Tensor((8,), "float64"))
        w = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), "float32"))
        d = R.call_tir(cls.twice, (w,), out_ty=R.Tensor((8,), "float64"))
        return (a, b, c, d)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def first(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float64")):
#         for i in range(8):
#             out[i] = T.Cast("float64", a[i] - a[0] * a[7])
#
#     @T.prim_func(private=True, s_tir=True)
#     def negate(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float32")):
#         for i in range(8):
#             out[i] = a[i] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def together(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
#         for i in T.parallel(4):
#             for j in range(8):
#                 out[i, j] = a[j]
#
#     @T.prim_func(private=True, s_tir=True)
#     def turned(a: T.Buffer((8,), "float32"), out: T.Buffer((4, 8), "float32")):
#         for i, j in T.grid(4, 8):
#             out[i, j] = a[7 - j]
#
#     @T.prim_func(private=True, s_tir=True)
#     def twice(a: T.Buffer((8,), "float32"), out: T.Buffer((8,), "float64")):
#         for i in range(8):
#             out[i] = T.float64(0.0)
#         for i in range(8):
#             out[i] = out[i] + T.Cast("float64", a[i])
#
#     @R.function
#     def main(x: R.Tensor((8,), dtype="float32")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32"), R.Tensor((8,), dtype="float64"), R.Tensor((8,), dtype="float64")):
#         cls = Module
#         t = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#         a = R.call_tir(cls.turned, (t,), out_ty=R.Tensor((4, 8), dtype="float32"))
#         u = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#         b = R.call_tir(cls.together, (u,), out_ty=R.Tensor((4, 8), dtype="float32"))
#         v = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#         c = R.call_tir(cls.first, (v,), out_ty=R.Tensor((8,), dtype="float64"))
#         w = R.call_tir(cls.negate, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#         d = R.call_tir(cls.twice, (w,), out_ty=R.Tensor((8,), dtype="float64"))
#         return (a, b, c, d)
