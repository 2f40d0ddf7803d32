# RUN: check
# What says that its iterations are independent, and provably is not: a spatial axis, T.parallel, T.vectorized.
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Module:
    # an axis that is a part of an index, and a guard that leaves one pair of iterations
    @T.prim_func
    def axes(A: T.Buffer((8, 8), "float32"), B: T.Buffer((64,), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("rows"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.where(i < 7)
                A[v_i, v_j] = A[v_i + 1, v_j]
        for i, j in T.grid(8, 8):
            with T.sblock("flat"):
                v = T.axis.spatial(64, i * 8 + j)
                B[v] = T.if_then_else(v == 60, B[59], T.float32(0))

    @T.prim_func
    def loops(x: T.Buffer(("n",), "float32"), s: T.Buffer((1,), "float32")):
        n = T.int64()
        for i in T.parallel(n):
            s[0] = s[0] + x[i]
        for i in T.vectorized(n - 1):
            x[i + 1] = x[i]

    # these are independent, or not known to be dependent
    @T.prim_func
    def fine(
        x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32"), at: T.Buffer((64,), "int32"), k: T.int32
    ):
        for i in T.parallel(32):
            t = T.alloc_buffer((1,), "float32")
            t[0] = x[i + 32]
            x[i] = t[0] * t[0]
        for i in T.vectorized(32):
            x[i * 2] = x[i * 2 + 1]
        for i in T.parallel(64):
            y[at[i]] = y[i]
        for i in T.parallel(8):
            if i == 3:
                x[i + 1] = x[i]
        for i, j in T.grid(8, 8):
            with T.sblock("sum"):
                v_i, v_j = T.axis.remap("SR", [i, j])
                with T.init():
                    y[v_i] = T.float32(0)
                y[v_i] = y[v_i] + x[v_i * 8 + v_j]
        for i in range(63):
            with T.sblock("scan"):
                v_i = T.axis.opaque(63, i)
                x[v_i + 1] = x[v_i + 1] + x[v_i]
        for i in range(32):
            with T.sblock("twice"):
                v_i = T.axis.spatial(16, i // 2)
                x[v_i] = x[v_i] + T.float32(1)
# OUT:
# warning[E0322]: iterations of the spatial axis `v_i` depend on each other through `A`
#   --> dependent-iterations.py:14:42
#    |
# 14 |                 v_i, v_j = T.axis.remap("SS", [i, j])
#    |                                          ^
# 15 |                 T.where(i < 7)
# 16 |                 A[v_i, v_j] = A[v_i + 1, v_j]
#    |                 ----------------------------- the same element is read by an earlier one
#    |                 |
#    |                 `A` is written by one iteration
#    |
#    = note: iterations run in the order of the loops: a read comes before the write
#    = help: if that order is meant, make it T.axis.opaque; if not, read from a buffer that the block does not write
#
# warning[E0322]: iterations of the spatial axis `v` depend on each other through `B`
#   --> dependent-iterations.py:19:28
#    |
# 19 |                 v = T.axis.spatial(64, i * 8 + j)
#    |                            ^^^^^^^
# 20 |                 B[v] = T.if_then_else(v == 60, B[59], T.float32(0))
#    |                 ---------------------------------------------------
#    |                 |                              |
#    |                 |                              the same element is read by a later one
#    |                 `B` is written by one iteration
#    |
#    = note: iterations run in the order of the loops: a read sees what was written before
#    = help: if that order is meant, make it T.axis.opaque; if not, read from a buffer that the block does not write
#
# warning[E0322]: iterations of the parallel loop `i` depend on each other through `s`
#   --> dependent-iterations.py:25:9
#    |
# 25 |         for i in T.parallel(n):
#    |         ^^^^^^^^^^^^^^^^^^^^^^
# 26 |             s[0] = s[0] + x[i]
#    |             ------------------
#    |             |      |
#    |             |      the same element is read by a later one
#    |             `s` is written by one iteration
#    |
#    = note: iterations run in the order of the loops: a read sees what was written before
#    = help: if that order is meant, make it a serial loop, range(..), as it runs; if not, read from a buffer that the loop does not write
#
# warning[E0322]: iterations of the vectorized loop `i` depend on each other through `x`
#   --> dependent-iterations.py:27:9
#    |
# 27 |         for i in T.vectorized(n - 1):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 28 |             x[i + 1] = x[i]
#    |             --------------- the same element is read by a later one
#    |             |
#    |             `x` is written by one iteration
#    |
#    = note: iterations run in the order of the loops: a read sees what was written before
#    = help: if that order is meant, make it a serial loop, range(..), as it runs; if not, read from a buffer that the loop does not write
#
# warning[E0463]: the T.parallel loop `i` runs one iteration after the other: it is not proved that the iterations touch different elements of `y`
#   --> dependent-iterations.py:41:9
#    |
# 41 |         for i in T.parallel(64):
#    |         ^^^^^^^^^^^^^^^^^^^^^^^
# 42 |             y[at[i]] = y[i]
#    |             --------------- read here
#    |             |
#    |             written here in another iteration
#    |
#    = note: `y[i]` and, in another iteration, `y[at[i]]`
#    = help: indices that are sums of loop variables with constant factors can be proved; an index that is loaded from a buffer cannot
#
