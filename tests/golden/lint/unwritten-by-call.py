# RUN: check
# A kernel says nothing of how `n` and `m` go together: its calls do. Where they are equal all is written.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def copy(xh: T.handle, yh: T.handle):
        n = T.int64()
        m = T.int64()
        x = T.match_buffer(xh, (n,), "float32")
        y = T.match_buffer(yh, (m,), "float32")
        for i in range(n):
            y[i] = x[i]

    @R.function
    def main(a: R.Tensor(("k",), "float32"), b: R.Tensor((4,), "float32")):
        k = T.int64()
        cls = Module
        p = R.call_tir(cls.copy, (a,), out_ty=R.Tensor((k,), "float32"))
        q = R.call_tir(cls.copy, (b,), out_ty=R.Tensor((4,), "float32"))
        r = R.call_tir(cls.copy, (b,), out_ty=R.Tensor((6,), "float32"))
        s = R.call_tir(cls.copy, (b,), out_ty=R.Tensor((7,), "float32"))
        return (p, q, r, s)
# OUT:
# warning[E0321]: `copy` leaves element [4] of its output `y` unwritten
#   --> unwritten-by-call.py:24:24
#    |
# 14 |         y = T.match_buffer(yh, (m,), "float32")
#    |         - `y`, of which no statement writes that element
# 15 |         for i in range(n):
# 16 |             y[i] = x[i]
#    |             ----------- the one statement that writes it
# ...
# 24 |         r = R.call_tir(cls.copy, (b,), out_ty=R.Tensor((6,), "float32"))
#    |                        ^^^^^^^^
#    |
#    = note: where m is 6, n is 4
#    = note: what is not written holds any number, in each run another one
#    = help: write all of it, or update a tensor that holds the rest: R.call_tir_inplace(.., inplace_indices=[..])
#
