# RUN: why --loops --cpu=x86-64-v3
# A T.vectorized loop that code generation has no form for is told of, with the place, and warned of, since the script asks for it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def looks(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in T.vectorized(64):
            s = T.alloc_buffer((1,), "float32")
            s[0] = x[i]
            while s[0] > T.float32(1):
                s[0] = s[0] * T.float32(0.5)
            y[i] = s[0]

    @T.prim_func
    def jumps(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in range(64):
            y[i] = T.float32(0)
        for i in T.parallel(64):
            if x[i] > T.float32(0):
                break
            y[i] = x[i]

    @T.prim_func
    def uneven(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in T.vectorized(64):
            y[i] = T.float32(0)
            for j in range(i):
                y[i] = y[i] + x[j]

    @R.function
    def main(x: R.Tensor((64,), "float32")):
        cls = Module
        a = R.call_tir(cls.looks, (x,), out_ty=R.Tensor((64,), "float32"))
        b = R.call_tir(cls.jumps, (a,), out_ty=R.Tensor((64,), "float32"))
        c = R.call_tir(cls.uneven, (b,), out_ty=R.Tensor((64,), "float32"))
        return c
# OUT:
# remark[E0460]: loop `i` of `looks` runs one iteration after the other
#   --> refused.py:13:9
#    |
# 13 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# ...
# 16 |             while s[0] > T.float32(1):
#    |             ------------------------- here
#    |
#    = note: LP015 no lanes: an iteration does what accesses do not say: a call, a jump, or it gives away an address
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `jumps` runs one iteration after the other
#   --> refused.py:23:9
#    |
# 23 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `jumps` runs one iteration after the other
#   --> refused.py:25:9
#    |
# 25 |         for i in T.parallel(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP041 no threads: a break, continue or return may end it early
#
# remark[E0460]: loop `i` of `uneven` runs one iteration after the other
#   --> refused.py:33:9
#    |
# 33 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 34 |             y[i] = T.float32(0)
# 35 |             for j in range(i):
#    |             ----------------- here
#    |
#    = note: LP029 no lanes: the loop `j` inside runs differently often in different lanes
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `j` of `uneven` runs one iteration after the other
#   --> refused.py:35:13
#    |
# 35 |             for j in range(i):
#    |             ^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: an iteration does what accesses do not say: a call, a jump, or it gives away an address
#   --> refused.py:13:9
#    |
# 13 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# ...
# 16 |             while s[0] > T.float32(1):
#    |             ------------------------- here
#    |
#    = help: take it out of the loop
#
# warning[E0463]: the T.parallel loop `i` runs one iteration after the other: a break, continue or return may end it early
#   --> refused.py:25:9
#    |
# 25 |         for i in T.parallel(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: a condition in the place of the jump
#
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: the loop `j` inside runs differently often in different lanes
#   --> refused.py:33:9
#    |
# 33 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 34 |             y[i] = T.float32(0)
# 35 |             for j in range(i):
#    |             ----------------- here
#    |
#    = help: run it equally often, with a condition inside
#
