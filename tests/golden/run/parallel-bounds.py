# FAIL: run --threads 4 --dim n=200000 --in x=iota --in i=iota
# Of the iterations of a parallel loop that fail, the first is reported, whichever thread finds one first.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def gather(x_: T.handle, i_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        i = T.match_buffer(i_, (n,), "int64")
        out = T.match_buffer(out_, (n,), "float32")
        for k in T.parallel(n):
            out[k] = x[i[k] * T.int64(3)]

    @R.function
    def main(x: R.Tensor(("n",), "float32"), i: R.Tensor(("n",), "int64")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.gather, (x, i), out_ty=R.Tensor((n,), "float32"))
        return y
# OUT:
# error[E0803]: index 200001 is out of range for axis 0 of `x` (extent 200000)
#   --> parallel-bounds.py:16:24
#    |
# 16 |             out[k] = x[i[k] * T.int64(3)]
#    |                        ^^^^^^^^^^^^^^^^^
#
