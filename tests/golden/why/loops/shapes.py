# RUN: why --loops --cpu=x86-64-v3 -p default --skip=FuseOps,FuseTIR
# The form of a loop: stores that cross rows, accesses lane by lane, an open stride, a predicate, other statements.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def rows(x: T.Buffer((64, 64), "float32"), y: T.Buffer((64, 64), "float32")):
        for i, j in T.grid(64, 8):
            y[j, i] = x[i, j]
        for i, j in T.grid(64, 56):
            y[j + 8, i] = x[i, j] + T.float32(1)

    @T.prim_func
    def gathers(x: T.Buffer((64, 64), "float32"), p: T.Buffer((64,), "int32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = x[p[i], i]

    @T.prim_func
    def bounds(n: T.Buffer((1,), "int32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = T.float32(0)
        for i in range(n[0]):
            y[i] = T.float32(1)

    @T.prim_func
    def other(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = T.float32(0)
        for i in range(64):
            if x[i] > T.float32(0):
                y[i] = x[i]

    @T.prim_func
    def offset(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in range(64):
            y[i] = T.float32(0)
        for i in range(1, 64):
            y[i] = x[i] + x[i - 1]

    @R.function
    def main(x: R.Tensor((64, 64), "float32"), p: R.Tensor((64,), "int32"), n: R.Tensor((1,), "int32")):
        cls = Module
        a = R.call_tir(cls.rows, (x,), out_ty=R.Tensor((64, 64), "float32"))
        b = R.call_tir(cls.gathers, (a, p), out_ty=R.Tensor((64,), "float32"))
        c = R.call_tir(cls.bounds, (n,), out_ty=R.Tensor((64,), "float32"))
        d = R.call_tir(cls.other, (b,), out_ty=R.Tensor((64,), "float32"))
        e = R.call_tir(cls.offset, (d,), out_ty=R.Tensor((64,), "float32"))
        return (c, e)
# OUT:
# remark[E0461]: the 2 loops of `rows` that are made of this
#   --> shapes.py:12:9
#    |
# 12 |         for i, j in T.grid(64, 8):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: `i`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `j` in it; LP070 no threads: the nest is worth 11264 additions, and a second thread 30000
#    = note:   `j`: LP006 runs one iteration after the other; LP058 no lanes: the store to `y` crosses rows: it moves by 64 elements, lane by lane
#
# remark[E0460]: loop `j` of `rows` runs one iteration after the other
#   --> shapes.py:14:9
#    |
# 14 |         for i, j in T.grid(64, 56):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP058 no lanes: the store to `y` crosses rows: it moves by 64 elements, lane by lane
#    = note: LP070 no threads: the nest is worth 11264 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `gathers` runs one iteration after the other
#   --> shapes.py:19:9
#    |
# 19 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP059 no lanes: of its accesses 1 would be made lane by lane, and work worth 0 additions does not pay for that
#    = note: LP070 no threads: the nest is worth 128 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `bounds` runs in vectors of 8 lanes
#   --> shapes.py:24:9
#    |
# 24 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP070 no threads: the nest is worth 0 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `bounds` runs one iteration after the other
#   --> shapes.py:26:9
#    |
# 26 |         for i in range(n[0]):
#    |         ^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP017 no lanes: an element or a call decides how often it runs
#    = note: LP017 no threads: an element or a call decides how often it runs
#
# remark[E0460]: loop `i` of `other` runs one iteration after the other
#   --> shapes.py:31:9
#    |
# 31 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
# ...
# 34 |             if x[i] > T.float32(0):
#    |             ---------------------- here
#    |
#    = note: LP061 no lanes: there is an `if` in it: only stores become vectors
#    = note: LP070 no threads: the nest is worth 192 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `offset` runs in vectors of 8 lanes
#   --> shapes.py:39:9
#    |
# 39 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP070 no threads: the nest is worth 0 additions, and a second thread 30000
#
# remark[E0460]: loop `i` of `offset` runs one iteration after the other
#   --> shapes.py:41:9
#    |
# 41 |         for i in range(1, 64):
#    |         ^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP052 no lanes: it does not count from 0 in steps of 1, or has annotations
#    = note: LP052 no threads: it does not count from 0 in steps of 1, or has annotations
#
