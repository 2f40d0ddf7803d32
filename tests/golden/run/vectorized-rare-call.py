# RUN: run --check --dim n=37 --in x=iota
# Lanes that take a side with a call of the C library beside lanes that do not: in the first side and in the second, in
# both, in one inside of another, next to a load that only some lanes may do, where all lanes agree, and in a rest.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sides(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (5, n), "float32")
        for i in T.vectorized(n):
            out[0, i] = T.if_then_else(x[i] > T.float32(5), x[i], T.tan(x[i]))
            out[1, i] = T.if_then_else(x[i] > T.float32(5), T.atan(x[i]), x[i])
            out[2, i] = T.if_then_else(x[i] > T.float32(20), T.pow(x[i], T.float32(2)), T.if_then_else(x[i] == T.float32(9), T.cosh(x[i]), T.float32(-1)))
            out[3, i] = T.if_then_else(i > 30, T.sinh(x[i - 31]), T.float32(0))
            out[4, i] = T.if_then_else(n > 30, T.tan(x[i]), T.atan(x[i]))

    @T.prim_func(private=True, s_tir=True)
    def narrow(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (n,), "int8")
        for i in T.vectorized(n):
            out[i] = T.if_then_else(i % 16 == 3, T.Cast("int8", T.pow(T.Cast("float64", i), T.float64(1.25))), T.int8(-1))

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = R.call_tir(Module.sides, (x,), out_ty=R.Tensor((5, n), "float32"))
        b = R.call_tir(Module.narrow, (x,), out_ty=R.Tensor((n,), "int8"))
        return (a, b)
# OUT:
# result.0: (5, 37) float32
# [[       0.   1.55741  -2.18504 ...       34.       35.       36.]
#  [       0.        1.        2. ...   1.54139   1.54223   1.54303]
#  [      -1.       -1.       -1. ...     1156.     1225.     1296.]
#  [       0.        0.        0. ...   10.0179   27.2899   74.2032]
#  [       0.   1.55741  -2.18504 ... -0.623499  0.473815   7.75047]]
# min -225.951, max 4051.54, mean 96.7156
# result.1: (37,) int8
# [-1 -1 -1  3 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 39 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
#  -1 -1 -1 -1 85 -1]
