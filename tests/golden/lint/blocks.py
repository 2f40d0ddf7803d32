# RUN: check
# Blocks that contradict themselves: reductions that read nothing of what they accumulate into, and loop variables where axes are meant; and none of what is right.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def sum(a: T.Buffer((8, 8), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32"), d: T.Buffer((8,), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("forgotten"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    b[vi] = T.float32(0)
                b[vi] = a[vi, vj]
            with T.sblock("largest"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    c[vi] = T.min_value("float32")
                c[vi] = a[vi, vj]
            with T.sblock("right"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    d[vi] = T.float32(0)
                d[vi] = d[vi] + a[vi, vj]

    @T.prim_func
    def loops(a: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("mixed"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, j] = a[vi, vj]
        for k in range(64):
            with T.sblock("split"):
                vi = T.axis.spatial(8, k // 8)
                vj = T.axis.spatial(8, k % 8)
                b[vi, vj] = a[vi, vj] + T.Cast("float32", k)
        for i in range(8):
            with T.sblock("inner"):
                vi = T.axis.spatial(8, i)
                for j in range(8):
                    b[vi, j] = a[vi, j]
        for i in range(8):
            with T.sblock("opaque"):
                b[i, 0] = a[i, 0]
# OUT:
# warning[E0444]: the reduction does not read `b`, which it accumulates into
#   --> blocks.py:15:17
#    |
# 14 |                     b[vi] = T.float32(0)
#    |                     -------------------- `b` begins with this, and nothing reads it
# 15 |                 b[vi] = a[vi, vj]
#    |                 ^^^^^^^^^^^^^^^^^
#    |
#    = note: of all iterations of the reduce axes only the last one counts
# help: add to it: `b[vi] = b[vi] + ..`
#    |
# 15 |                 b[vi] = b[vi] + a[vi, vj]
#    |                         ++++++++
#
# warning[E0444]: the reduction does not read `c`, which it accumulates into
#   --> blocks.py:20:17
#    |
# 19 |                     c[vi] = T.min_value("float32")
#    |                     ------------------------------ `c` begins with this, and nothing reads it
# 20 |                 c[vi] = a[vi, vj]
#    |                 ^^^^^^^^^^^^^^^^^
#    |
#    = note: of all iterations of the reduce axes only the last one counts
#
# warning[E0445]: loop variable `j` is used in block `mixed`, which has axes
#   --> blocks.py:32:23
#    |
# 29 |         for i, j in T.grid(8, 8):
#    |                - a loop around the block
# ...
# 32 |                 b[vi, j] = a[vi, vj]
#    |                       ^
#    |
# help: axis `vj` has its value
#    |
# 32 |                 b[vi, vj] = a[vi, vj]
#    |                       +
#
# warning[E0445]: loop variable `k` is used in block `split`, which has axes
#   --> blocks.py:37:59
#    |
# 33 |         for k in range(64):
#    |             - a loop around the block
# ...
# 37 |                 b[vi, vj] = a[vi, vj] + T.Cast("float32", k)
#    |                                                           ^
#    |
#    = help: bind an axis to it, and use that: T.axis.spatial(.., k)
#
