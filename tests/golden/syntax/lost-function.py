# FAIL: check
# A function that a mistake of the syntax has swallowed is not missed a second time.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")) ->
        for i in range(8):
            b[i] = a[i]

    @T.prim_func(private=True)
    def j(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i]
       b[0] = a[0]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        y = R.call_tir(cls.k, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
# OUT:
# error[E0101]: expected an expression, found end of line
#  --> lost-function.py:9:73
#   |
# 9 |     def k(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")) ->
#   |                                                                         ^
#
# error[E0109]: the indentation fits no block around
#   --> lost-function.py:17:1
#    |
# 17 |        b[0] = a[0]
#    | ^^^^^^^
#    |
# help: blocks around have 4 and 8 blanks
#    |
# 17 |         b[0] = a[0]
#    |        +
#
