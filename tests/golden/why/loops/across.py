# RUN: why --loops --cpu=x86-64-v3
# Elements in a row across the ends of rows, from another place in each round: several vectors at once, as of y[i].
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def across(x: T.Buffer((700,), "float32"), y: T.Buffer((100, 7), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for p in range(2):
            for i in T.vectorized(350):
                y[(i + p * 350) // 7, (i + p * 350) % 7] = x[i + p * 350]

    @R.function
    def main(x: R.Tensor((700,), "float32")):
        cls = Module
        y = R.call_tir(cls.across, (x,), out_ty=R.Tensor((100, 7), "float32"))
        return y
# OUT:
# remark[E0460]: loop `p` of `across` runs one iteration after the other
#   --> across.py:13:9
#    |
# 13 |         for p in range(2):
#    |         ^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `across` runs in vectors of 8 lanes, 4 of them in a round
#   --> across.py:14:13
#    |
# 14 |             for i in T.vectorized(350):
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
