# RUN: run --check --threads 2 --dim n=37 --in x=iota --in y=ones
# Kernels that run in place, in lanes and on threads: an iteration reads only what it writes itself, or the
# loop is serial (`running`: each element needs the one before).
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def grow(x_: T.handle, y_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        y = T.match_buffer(y_, (n,), "float32")
        for i in T.vectorized(n):
            x[i] = x[i] * T.float32(2) + y[i]

    @T.prim_func(private=True, s_tir=True)
    def shrink(x_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        for i in T.parallel(n):
            x[i] = T.max(x[i] - T.float32(10), T.float32(0))

    @T.prim_func(private=True, s_tir=True)
    def running(x_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        for i in T.vectorized(n - 1):
            x[i + 1] = x[i] + x[i + 1]

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.inplace_arg": 0})
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir_inplace(cls.grow, (x, y), inplace_indices=[0], out_ty=R.Tensor((n,), "float32"))
            b = R.call_tir_inplace(cls.shrink, (a,), inplace_indices=[0], out_ty=R.Tensor((n,), "float32"))
            c = R.call_tir_inplace(cls.grow, (b, b), inplace_indices=[0], out_ty=R.Tensor((n,), "float32"))
            d = R.call_tir_inplace(cls.running, (c,), inplace_indices=[0], out_ty=R.Tensor((n,), "float32"))
            R.output(d)
        return d
# OUT:
# result: (37,) float32
# [   0.    0.    0.    0.    0.    3.   12.   27.   48.   75.  108.  147.  192.  243.  300.
#   363.  432.  507.  588.  675.  768.  867.  972. 1083. 1200. 1323. 1452. 1587. 1728. 1875.
#  2028. 2187. 2352. 2523. 2700. 2883. 3072.]
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: two iterations touch one element of `x`, and one of them writes it
#   --> vectorized-inplace.py:29:9
#    |
# 29 |         for i in T.vectorized(n - 1):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 30 |             x[i + 1] = x[i] + x[i + 1]
#    |             --------------------------
#    |             |          |
#    |             |          read here
#    |             written here in another iteration
#    |
#    = note: `x[i]` and, in another iteration, `x[i + T.int64(1)]`
#    = help: write to another buffer than the one that is read, or let each iteration write elements of its own
#
