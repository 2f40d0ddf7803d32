# RUN: why --loops --cpu=x86-64-v3
# What code generation has no lanes or tasks for, in kernels whose loops are their author's.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def private(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in T.vectorized(64):
            s = T.alloc_buffer((4,), "float32")
            s[i % 4] = x[i]
            y[i] = s[i % 4]

    @T.prim_func
    def large(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in T.vectorized(64):
            s = T.alloc_buffer((96,), "float32")
            for j in range(96):
                s[j] = x[i]
            y[i] = s[7]

    @T.prim_func
    def inner(x: T.Buffer((8, 8), "float32"), y: T.Buffer((8, 8), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in T.vectorized(8):
            for j in T.vectorized(8):
                y[i, j] = x[i, j]
        for i in T.parallel(8):
            for j in T.parallel(8):
                y[i, j] = y[i, j] + x[i, j]

    @T.prim_func
    def unrolled(x: T.Buffer((8, 64), "float32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in T.vectorized(64):
            y[i] = T.float32(0)
            for j in range(4):
                y[i] = y[i] + x[j, i]
            for j in T.unroll(4):
                y[i] = y[i] + x[j + 4, i]
        for i in T.unroll(4):
            y[i] = y[i] + T.float32(1)

    @T.prim_func
    def scatter(p: T.Buffer((64,), "int32"), y: T.Buffer((64,), "float32")):
        T.func_attr({"tirx.is_scheduled": True})
        for i in range(64):
            y[i] = T.float32(0)
        for i in T.parallel(64):
            y[p[i]] = T.float32(1)

    @R.function
    def main(p: R.Tensor((64,), "int32"), x: R.Tensor((64,), "float32"), m: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 64), "float32")):
        cls = Module
        a = R.call_tir(cls.private, (x,), out_ty=R.Tensor((64,), "float32"))
        b = R.call_tir(cls.large, (a,), out_ty=R.Tensor((64,), "float32"))
        c = R.call_tir(cls.inner, (m,), out_ty=R.Tensor((8, 8), "float32"))
        d = R.call_tir(cls.unrolled, (w,), out_ty=R.Tensor((64,), "float32"))
        e = R.call_tir(cls.scatter, (p,), out_ty=R.Tensor((64,), "float32"))
        return (b, c, d, e)
# OUT:
# remark[E0460]: loop `i` of `private` runs one iteration after the other
#   --> forms.py:13:9
#    |
# 13 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 14 |             s = T.alloc_buffer((4,), "float32")
# 15 |             s[i % 4] = x[i]
#    |             --------------- here
#    |
#    = note: LP025 no lanes: `s`, allocated in it, is indexed differently in different lanes
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `large` runs one iteration after the other
#   --> forms.py:21:9
#    |
# 21 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 22 |             s = T.alloc_buffer((96,), "float32")
#    |             - here
#    |
#    = note: LP026 no lanes: what is allocated in it takes 384 bytes for each lane, more than 256
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `j` of `large` runs one iteration after the other
#   --> forms.py:23:13
#    |
# 23 |             for j in range(96):
#    |             ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `inner` runs one iteration after the other
#   --> forms.py:30:9
#    |
# 30 |         for i in T.vectorized(8):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^
# 31 |             for j in T.vectorized(8):
#    |             ------------------------ here
#    |
#    = note: LP030 no lanes: the loop `j` inside is the one that runs in lanes
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `j` of `inner` runs in vectors of 8 lanes
#   --> forms.py:31:13
#    |
# 31 |             for j in T.vectorized(8):
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `inner` is shared among threads, in tasks of 8 iterations: 1
#   --> forms.py:33:9
#    |
# 33 |         for i in T.parallel(8):
#    |         ^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0460]: loop `j` of `inner` runs one iteration after the other
#   --> forms.py:34:13
#    |
# 34 |             for j in T.parallel(8):
#    |             ^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP040 no threads: is inside of a loop that threads share already
#
# remark[E0460]: loop `i` of `unrolled` runs in vectors of 8 lanes
#   --> forms.py:40:9
#    |
# 40 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `j` of `unrolled` is inside of a loop that runs in lanes, each of which runs all of it
#   --> forms.py:42:13
#    |
# 42 |             for j in range(4):
#    |             ^^^^^^^^^^^^^^^^^
#
# remark[E0460]: loop `j` of `unrolled` is written out, 4 iterations one behind the other
#   --> forms.py:44:13
#    |
# 44 |             for j in T.unroll(4):
#    |             ^^^^^^^^^^^^^^^^^^^^
#
# remark[E0460]: loop `i` of `unrolled` is written out, 4 iterations one behind the other
#   --> forms.py:46:9
#    |
# 46 |         for i in T.unroll(4):
#    |         ^^^^^^^^^^^^^^^^^^^^
#
# remark[E0460]: loop `i` of `scatter` runs one iteration after the other
#   --> forms.py:52:9
#    |
# 52 |         for i in range(64):
#    |         ^^^^^^^^^^^^^^^^^^
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP083 no threads: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#
# remark[E0460]: loop `i` of `scatter` runs one iteration after the other
#   --> forms.py:54:9
#    |
# 54 |         for i in T.parallel(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^
# 55 |             y[p[i]] = T.float32(1)
#    |             ---------------------- written here
#    |
#    = note: LP083 no lanes: the kernel has the attribute tirx.is_scheduled: its loops are its author's
#    = note: LP012 no threads: it is not proved that the iterations touch different elements of `y`
#
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: `s`, allocated in it, is indexed differently in different lanes
#   --> forms.py:13:9
#    |
# 13 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 14 |             s = T.alloc_buffer((4,), "float32")
# 15 |             s[i % 4] = x[i]
#    |             --------------- here
#    |
#    = help: index it by something that does not depend on the loop's variable
#
# warning[E0462]: the T.vectorized loop `i` runs one iteration after the other: what is allocated in it takes 384 bytes for each lane, more than 256
#   --> forms.py:21:9
#    |
# 21 |         for i in T.vectorized(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^
# 22 |             s = T.alloc_buffer((96,), "float32")
#    |             - here
#    |
#    = help: smaller local buffers, or one in front of the loop
#
# warning[E0463]: the T.parallel loop `i` runs one iteration after the other: it is not proved that the iterations touch different elements of `y`
#   --> forms.py:54:9
#    |
# 54 |         for i in T.parallel(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^
# 55 |             y[p[i]] = T.float32(1)
#    |             ---------------------- written here
#    |
#    = note: `y[p[i]]` and, in another iteration, `y[p[i]]`
#    = help: indices that are sums of loop variables with constant factors can be proved; an index that is loaded from a buffer cannot
#
