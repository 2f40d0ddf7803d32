# RUN: check
# T.reads and T.writes that do not cover what the block touches; and none where they do, where a condition makes it less, or where a buffer that is updated is left out.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def k(a: T.Buffer((8, 8), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("false"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.reads(a[0, 0])
                T.writes(b[0])
                with T.init():
                    b[vi] = T.float32(0)
                b[vi] = b[vi] + a[vi, vj]
        for i, j in T.grid(8, 7):
            with T.sblock("less"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vi, vj])
                c[vi, vj] = a[vi, vj] + a[vi, vj + 1]
        for i, j in T.grid(8, 8):
            with T.sblock("missing"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vi, vj])
                T.writes(c[vi, vj])
                c[vi, vj] = a[vi, vj] + b[vi]
        for i, j in T.grid(8, 8):
            with T.sblock("right"):
                vi, vj = T.axis.remap("SR", [i, j])
                T.reads(a[vi, 0:8])
                T.writes(b[vi])
                with T.init():
                    b[vi] = T.float32(0)
                b[vi] = b[vi] + a[vi, vj]
        for i, j in T.grid(8, 8):
            with T.sblock("padded"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(a[vi, 1:8])
                T.writes(c[vi, vj])
                c[vi, vj] = T.if_then_else(vj >= 1, a[vi, vj], T.float32(0))
        for i, j in T.grid(8, 8):
            with T.sblock("other"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.writes(a[vi, vj])
                c[vi, vj] = T.if_then_else(vj >= 1, a[vi, vj], T.float32(0))

    @T.prim_func
    def row(a: T.Buffer((8,), "float32"), b: T.Buffer(("n", 8), "float32"), t: T.int64):
        n = T.int64()
        for i in range(8):
            with T.sblock("drift"):
                vi = T.axis.spatial(8, i)
                T.writes(b[t, vi])
                b[vi, t] = a[vi]
        for i in range(8):
            with T.sblock("kept"):
                vi = T.axis.spatial(8, i)
                T.writes(b[t, vi])
                b[t, vi] = a[vi]
# OUT:
# warning[E0446]: block `false` reads `a[vi, vj]`, which its T.reads does not cover
#   --> regions.py:13:25
#    |
# 13 |                 T.reads(a[0, 0])
#    |                         ^^^^^^^
#    |
# help: say what the body does, or leave it out: it is inferred
#    |
# 13 |                 T.reads(a[vi, vj])
#    |                           ~~~~~~
#
# warning[E0446]: block `false` writes `b[vi]`, which its T.writes does not cover
#   --> regions.py:14:26
#    |
# 14 |                 T.writes(b[0])
#    |                          ^^^^
#    |
# help: say what the body does, or leave it out: it is inferred
#    |
# 14 |                 T.writes(b[vi])
#    |                            ~~
#
# warning[E0446]: block `less` reads `a[vi, vj:vj + 2]`, which its T.reads does not cover
#   --> regions.py:21:25
#    |
# 21 |                 T.reads(a[vi, vj])
#    |                         ^^^^^^^^^
#    |
# help: say what the body does, or leave it out: it is inferred
#    |
# 21 |                 T.reads(a[vi, vj:vj + 2])
#    |                                 +++++++
#
# warning[E0446]: block `missing` reads `b[vi]`, which its T.reads does not cover
#   --> regions.py:26:25
#    |
# 26 |                 T.reads(a[vi, vj])
#    |                         ^^^^^^^^^
#    |
# help: say what the body does, or leave it out: it is inferred
#    |
# 26 |                 T.reads(a[vi, vj], b[vi])
#    |                                  +++++++
#
# warning[E0446]: block `other` writes `c[vi, vj]`, which its T.writes does not cover
#   --> regions.py:46:26
#    |
# 46 |                 T.writes(a[vi, vj])
#    |                          ^^^^^^^^^
#    |
# help: say what the body does, or leave it out: it is inferred
#    |
# 46 |                 T.writes(c[vi, vj])
#    |                          ~
#
# warning[E0446]: block `drift` writes `b[vi, t]`, which its T.writes does not cover
#   --> regions.py:55:26
#    |
# 55 |                 T.writes(b[t, vi])
#    |                          ^^^^^^^^
#    |
# help: say what the body does, or leave it out: it is inferred
#    |
# 55 |                 T.writes(b[vi, t])
#    |                            ~~~~~
#
