# RUN: why --loops --cpu=x86-64-v3
# What stands against another order of iterations is told with both accesses: a later iteration reads, a sum is kept in order,
# an index is loaded from a buffer.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def chain(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        y[0] = x[0]
        for i in range(63):
            y[i + 1] = y[i] * x[i + 1]

    @T.prim_func
    def total(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[i]
        for i in range(63):
            y[0] = y[0] + T.exp(x[i]) * T.exp(x[i]) * T.exp(y[i + 1])

    @T.prim_func
    def scatter(p: T.Buffer((64,), "int32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = T.float32(0)
        for i in range(64):
            y[p[i]] = T.float32(1)

    @R.function
    def main(x: R.Tensor((64,), "float32"), p: R.Tensor((64,), "int32")):
        cls = Module
        a = R.call_tir(cls.chain, (x,), out_ty=R.Tensor((64,), "float32"))
        b = R.call_tir(cls.total, (a,), out_ty=R.Tensor((64,), "float32"))
        c = R.call_tir(cls.scatter, (p,), out_ty=R.Tensor((64,), "float32"))
        return (b, c)
# OUT:
# remark[E0460]: loop `i` of `chain` runs one iteration after the other
#   --> dependence.py:14:9
#    |
# 14 |         for i in range(63):
#    |         ^^^^^^^^^^^^^^^^^^
# 15 |             y[i + 1] = y[i] * x[i + 1]
#    |             --------------------------
#    |             |          |
#    |             |          read here
#    |             written here in another iteration
#    |
#    = note: LP011 no lanes: two iterations touch one element of `y`, and one of them writes it
#    = note: LP070 no threads: the nest is worth 315 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `total` runs in vectors of 8 lanes
#   --> dependence.py:19:9
#    |
# 19 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP070 no threads: the nest is worth 64 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `total` runs one iteration after the other
#   --> dependence.py:21:9
#    |
# 21 |         for i in range(63):
#    |         ^^^^^^^^^^^^^^^^^^
# 22 |             y[0] = y[0] + T.exp(x[i]) * T.exp(x[i]) * T.exp(y[i + 1])
#    |             ---------------------------------------------------------
#    |             |      |
#    |             |      read here
#    |             written here in another iteration
#    |
#    = note: LP014 no lanes: each iteration adds to the same element of `y`: the order of a reduction is kept
#    = note: LP070 no threads: the nest is worth 2772 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `scatter` runs in vectors of 8 lanes
#   --> dependence.py:26:9
#    |
# 26 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP070 no threads: the nest is worth 0 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `scatter` runs one iteration after the other
#   --> dependence.py:28:9
#    |
# 28 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
# 29 |             y[p[i]] = T.float32(1)
#    |             ---------------------- here
#    |
#    = note: LP057 no lanes: the place in `y` does not move by a known number of elements
#    = note: LP070 no threads: the nest is worth 64 additions, and a second thread 30000
#
