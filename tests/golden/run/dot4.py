# RUN: run --in "a=6xi32=-1,2147483647,-2139062144,16909060,-16777216,128" --in "b=6xi32=-1,-2139062144,-2139062144,-16777216,2139062143,-128"
# T.dot4 of words whose bytes have signs or not, at the ends of both, as lanes and alone; sums wrap in 32 bits.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def dots(a: T.Buffer((6,), "int32"), b: T.Buffer((6,), "int32"), y: T.Buffer((5, 6), "int32")):
        for i in T.vectorized(6):
            y[0, i] = T.dot4(T.Cast("uint32", a[i]), b[i], 0)
            y[1, i] = T.dot4(a[i], T.Cast("uint32", b[i]), 2147483647)
            y[2, i] = T.dot4(a[i], b[i], -2147483647 - 1)
            y[3, i] = T.dot4(T.Cast("uint32", a[i]), T.Cast("uint32", b[i]), i)
        for i in range(6):
            y[4, i] = T.dot4(T.Cast("uint32", a[i]), b[5 - i], y[0, i])

    @R.function
    def main(a: R.Tensor((6,), "int32"), b: R.Tensor((6,), "int32")):
        cls = Module
        y = R.call_tir(cls.dots, (a, b), out_ty=R.Tensor((5, 6), "int32"))
        return y
# OUT:
# result: (5, 6) int32
# [[      -1020     -114176      -65536          -1       32385      -16384]
#  [ 2147482627 -2147467777  2147418111 -2147483394  2147483520  2147467263]
#  [-2147483644  2147467776 -2147418112  2147483647  2147483521 -2147467264]
#  [     260100      114177       65538         258       32389       16389]
#  [     -34425        -892      -65664       -1281        -255      -16512]]
