# FAIL: run --dim n=20 --in x=iota
# The lanes of a vectorized loop are checked as iterations are: the first one that is outside is named.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shift(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (n,), "float32")
        for i in T.vectorized(n):
            out[i] = x[i + 1]

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.shift, (x,), out_ty=R.Tensor((n,), "float32"))
        return y
# OUT:
# error[E0803]: index 20 is out of range for axis 0 of `x` (extent 20)
#   --> vectorized-bounds.py:15:24
#    |
# 15 |             out[i] = x[i + 1]
#    |                        ^^^^^
#
