# FAIL: run -p debug --dim n=4 --in x=iota
# Kernels with the same loops share their code, but not the messages: it is the second one that fails here.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def first(x_: T.handle, i_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        i = T.match_buffer(i_, (n,), "int64")
        out = T.match_buffer(out_, (n,), "float32")
        for k in range(n):
            out[k] = x[i[k]]

    @T.prim_func(private=True, s_tir=True)
    def second(y_: T.handle, j_: T.handle, out_: T.handle):
        n = T.int64()
        y = T.match_buffer(y_, (n,), "float32")
        j = T.match_buffer(j_, (n,), "int64")
        out = T.match_buffer(out_, (n,), "float32")
        for k in range(n):
            out[k] = y[j[k]]

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        i = R.arange(R.prim_value(0), R.prim_value(n), R.prim_value(1), dtype="int64")
        a = R.call_tir(cls.first, (x, i), out_ty=R.Tensor((n,), "float32"))
        j = R.add(i, R.const(1, "int64"))
        b = R.call_tir(cls.second, (a, j), out_ty=R.Tensor((n,), "float32"))
        return b
# OUT:
# error[E0803]: index 4 is out of range for axis 0 of `y` (extent 4)
#   --> equal-kernels.py:25:24
#    |
# 25 |             out[k] = y[j[k]]
#    |                        ^^^^
#
