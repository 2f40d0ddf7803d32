# RUN: run --in x=20xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20
# Loops whose iterations need each other run one after the other, whatever the text says of them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def running_sum(x: T.Buffer((20,), "float32"), out: T.Buffer((20,), "float32")):
        out[0] = x[0]
        for i in T.vectorized(19):
            out[i + 1] = out[i] + x[i + 1]

    @T.prim_func(private=True, s_tir=True)
    def total(x: T.Buffer((20,), "float32"), out: T.Buffer((1,), "float32")):
        out[0] = T.float32(0)
        for i in T.parallel(20):
            out[0] = out[0] + x[i]

    @T.prim_func(private=True, s_tir=True)
    def last_wins(x: T.Buffer((20,), "float32"), out: T.Buffer((4,), "float32")):
        for i in T.vectorized(20):
            out[i // 8] = x[i]
        out[3] = T.float32(0)

    @R.function
    def main(x: R.Tensor((20,), "float32")):
        cls = Module
        a = R.call_tir(cls.running_sum, (x,), out_ty=R.Tensor((20,), "float32"))
        b = R.call_tir(cls.total, (x,), out_ty=R.Tensor((1,), "float32"))
        c = R.call_tir(cls.last_wins, (x,), out_ty=R.Tensor((4,), "float32"))
        return (a, b, c)
# OUT:
# result.0: (20,) float32
# [  1.   3.   6.  10.  15.  21.  28.  36.  45.  55.  66.  78.  91. 105. 120. 136. 153. 171. 190.
#  210.]
# result.1: (1,) float32
# [210.]
# result.2: (4,) float32
# [ 8. 16. 20.  0.]
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: two iterations touch one element of `out`, and one of them writes it
#   --> vectorized-dependent.py:12:9
#    |
# 12 |         for i in T.vectorized(19):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 13 |             out[i + 1] = out[i] + x[i + 1]
#    |             ------------------------------
#    |             |            |
#    |             |            read here
#    |             written here in another iteration
#    |
#    = note: `out[i]` and, in another iteration, `out[i + 1]`
#    = help: write to another buffer than the one that is read, or let each iteration write elements of its own
#
# warning[E0463]: the T.parallel loop `i` runs one iteration after the other: each iteration adds to the same element of `out`: the order of a reduction is kept
#   --> vectorized-dependent.py:18:9
#    |
# 18 |         for i in T.parallel(20):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^
# 19 |             out[0] = out[0] + x[i]
#    |             ----------------------
#    |             |        |
#    |             |        read here
#    |             written here in another iteration
#    |
#    = note: `out[0]` and, in another iteration, `out[0]`
#    = help: sums over contiguous axes get several accumulators from ScheduleCPU where the sum is the innermost loop and nothing else is in it
#
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: two iterations touch one element of `out`, and one of them writes it
#   --> vectorized-dependent.py:23:9
#    |
# 23 |         for i in T.vectorized(20):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 24 |             out[i // 8] = x[i]
#    |             ------------------ written here
#    |
#    = note: `out[i // 8]` and, in another iteration, `out[i // 8]`
#    = help: write to another buffer than the one that is read, or let each iteration write elements of its own
#
