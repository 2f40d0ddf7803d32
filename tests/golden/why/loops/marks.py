# RUN: why --loops --cpu=x86-64-v3 -p LegalizeOps,ResolveInplace,LowerBlocks,VectorizeLoop,ParallelizeLoop(grain=10000),ToNonDataflow,CallTIRRewrite,KillAfterLastUse
# The loop passes have reasons, too: a stride, too few statements. A kernel that no call reaches has no code, one that equals another none of its own.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def nobody(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[i]

    @T.prim_func
    def gather(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            if i > 3:
                y[i] = x[i]
            else:
                y[i] = T.float32(0)

    @T.prim_func
    def again(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            if i > 3:
                y[i] = x[i]
            else:
                y[i] = T.float32(0)

    @R.function
    def main(x: R.Tensor((200, 200), "float32"), v: R.Tensor((64,), "float32")):
        cls = Module
        with R.dataflow():
            y = R.permute_dims(R.exp(x))
            s = R.sum(x, axis=1)
            g = R.call_tir(cls.gather, (v,), out_ty=R.Tensor((64,), "float32"))
            h = R.call_tir(cls.again, (g,), out_ty=R.Tensor((64,), "float32"))
            R.output(y, s, h)
        return (y, s, h)
# OUT:
# remark[E0460]: loop `i` of `nobody` is in a kernel that no call reaches: no code is made of it
#   --> marks.py:12:9
#    |
# 12 |         for i in range(8):
#    |         ^^^^^^^^^^^^^^^^^
#
# remark[E0460]: loop `i` of `gather` runs one iteration after the other
#   --> marks.py:17:9
#    |
# 17 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
# 18 |             if i > 3:
#    |             -------- here
#    |
#    = note: LP061 no lanes: there is an `if` in it: only stores become vectors
#    = note: LP077 no threads: it executes 128 statements, and 10000 are worth a second thread
#
# remark[E0460]: loop `i` of `again` is the same loop as in `gather`, whose code runs for both
#   --> marks.py:25:9
#    |
# 25 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#
# remark[E0461]: the 2 loops of `tir_exp` that are made of this
#   --> marks.py:35:32
#    |
# 35 |             y = R.permute_dims(R.exp(x))
#    |                                ^^^^^^^^
#    |
#    = note: `ax0`: LP003 is shared among threads, in tasks of 200 iterations: 1
#    = note:   `ax1`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `ax0` around it is the one that threads share
#
# remark[E0461]: the 2 loops of `permute_dims` that are made of this
#   --> marks.py:35:17
#    |
# 35 |             y = R.permute_dims(R.exp(x))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: `ax0`: LP003 is shared among threads, in tasks of 10 iterations: 20
#    = note:   `ax1`: LP006 runs one iteration after the other; LP075 no lanes: the place in `x` moves by 200 elements, not by one; LP072 no threads: the loop `ax0` around it is the one that threads share
#
# remark[E0461]: the 2 loops of `sum` that are made of this
#   --> marks.py:36:17
#    |
# 36 |             s = R.sum(x, axis=1)
#    |                 ^^^^^^^^^^^^^^^^
#    |
#    = note: `ax0`: LP003 is shared among threads, in tasks of 5 iterations: 40
#    = note:   `k0`: LP006 runs one iteration after the other; LP014 no lanes: each iteration adds to the same element of `out`: the order of a reduction is kept; LP072 no threads: the loop `ax0` around it is the one that threads share
#
