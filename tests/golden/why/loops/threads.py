# RUN: why --loops --cpu=x86-64-v3
# Threads: tasks of a nest that is worth them, the loop inside that is shared, one too short to be cut, an open extent.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def inner(x: T.Buffer((1, 512, 512), "float32"), y: T.Buffer((1, 512, 512), "float32")):
        for b, i, j in T.grid(2, 512, 512):
            y[0, i, j] = x[0, i, j] + T.Cast("float32", b)

    @R.function
    def main(x: R.Tensor((512, 512), "float32"), s: R.Tensor((20000,), "float32"), t: R.Tensor(("n", 64), "float32"), u: R.Tensor((1, 512, 512), "float32")):
        cls = Module
        a = R.exp(x)
        b = R.exp(R.exp(R.exp(s)))
        c = R.exp(t)
        d = R.call_tir(cls.inner, (u,), out_ty=R.Tensor((1, 512, 512), "float32"))
        return (a, b, c, d)
# OUT:
# remark[E0461]: the 3 loops of `inner` that are made of this
#   --> threads.py:12:9
#    |
# 12 |         for b, i, j in T.grid(2, 512, 512):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: `b`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `i` in it; LP071 no threads: the loop `i` inside is the one that threads share
#    = note:   `i`: LP003 is shared among threads, in tasks of 12 iterations: 43
#    = note:     `j`: LP002 runs in vectors of 8 lanes, 4 of them in a round; LP072 no threads: the loop `i` around it is the one that threads share
#
# remark[E0461]: the 2 loops of `tir_exp` that are made of this
#   --> threads.py:18:13
#    |
# 18 |         a = R.exp(x)
#    |             ^^^^^^^^
#    |
#    = note: `ax0`: LP003 is shared among threads, in tasks of 1 iterations: 512
#    = note:   `ax1`: LP002 runs in vectors of 8 lanes, 2 of them in a round; LP072 no threads: the loop `ax0` around it is the one that threads share
#
# remark[E0461]: the 2 loops of `tir_exp_2` that are made of this
#   --> threads.py:20:13
#    |
# 20 |         c = R.exp(t)
#    |             ^^^^^^^^
#    |
#    = note: `ax0`: LP004 is shared among threads; a run says in how many tasks
#    = note:   `ax1`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `ax0` around it is the one that threads share
#
# remark[E0460]: loop `ax0` of `fused_tir_exp_1_tir_exp_1_tir_exp_1` runs in vectors of 8 lanes
#   --> threads.py:19:25
#    |
# 19 |         b = R.exp(R.exp(R.exp(s)))
#    |                         ^^^^^^^^
#    |
#    = note: LP073 no threads: 20000 iterations are too few to be cut into pieces for threads: from 32768 on they are
#
