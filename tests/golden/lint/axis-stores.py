# RUN: check
# A reduce axis that tells elements apart, a spatial one that does not, T.init of another element; and what is meant.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def copy(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("copy"):
                v = T.axis.reduce(8, i)
                b[v] = a[v]

    @T.prim_func
    def sums(a: T.Buffer((8, 4), "float32"), b: T.Buffer((8,), "float32")):
        for i, j in T.grid(8, 4):
            with T.sblock("sum"):
                vi = T.axis.reduce(8, i)
                vj = T.axis.reduce(4, j)
                with T.init():
                    b[vi] = T.float32(0)
                b[vi] = b[vi] + a[vi, vj]

    @T.prim_func
    def first(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("first"):
                v = T.axis.spatial(8, i)
                b[0] = a[v]

    @T.prim_func
    def init(a: T.Buffer((8, 4), "float32"), b: T.Buffer((8,), "float32")):
        for i, j in T.grid(8, 4):
            with T.sblock("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    b[0] = T.float32(0)
                b[vi] = b[vi] + a[vi, vj]

    @T.prim_func
    def scan(a: T.Buffer((8,), "float32"), b: T.Buffer((9,), "float32"), c: T.Buffer((4,), "float32"), d: T.Buffer((8,), "float32")):
        b[0] = T.float32(0)
        for i in range(8):
            with T.sblock("scan"):
                v = T.axis.reduce(8, i)
                b[v + 1] = b[v] + a[v]
        for i in range(8):
            with T.sblock("last"):
                v = T.axis.spatial(8, i)
                c[0] = a[v]
        for i in range(1):
            with T.sblock("one"):
                v = T.axis.reduce(1, i)
                c[v] = a[v]
        for i in range(8):
            with T.sblock("flag"):
                v = T.axis.spatial(8, i)
                d[0] = T.float32(1)
# OUT:
# warning[E0454]: axis `v` reduces nothing: each of its iterations stores another element
#   --> axis-stores.py:12:28
#    |
# 12 |                 v = T.axis.reduce(8, i)
#    |                            ^^^^^^
# 13 |                 b[v] = a[v]
#    |                 ----------- `v` is an index of what is stored
#    |
# help: it is a spatial axis: T.axis.spatial, or `S` in T.axis.remap
#    |
# 12 |                 v = T.axis.spatial(8, i)
#    |                            ~~~~~~~
#
# warning[E0454]: axis `vi` reduces nothing: each of its iterations stores another element
#   --> axis-stores.py:19:29
#    |
# 19 |                 vi = T.axis.reduce(8, i)
#    |                             ^^^^^^
# ...
# 23 |                 b[vi] = b[vi] + a[vi, vj]
#    |                 ------------------------- `vi` is an index of what is stored
#    |
# help: it is a spatial axis: T.axis.spatial, or `S` in T.axis.remap
#    |
# 19 |                 vi = T.axis.spatial(8, i)
#    |                             ~~~~~~~
#
# warning[E0455]: each iteration of axis `v` stores the same element of `b`
#   --> axis-stores.py:30:19
#    |
# 30 |                 b[0] = a[v]
#    |                   ^
#    |
#    = note: only the last value stays, and other elements are never written
# help: `v` goes through this axis of `b`
#    |
# 30 |                 b[v] = a[v]
#    |                   ~
#
# warning[E0456]: T.init sets another element of `b` than the block computes on from
#   --> axis-stores.py:38:21
#    |
# 38 |                     b[0] = T.float32(0)
#    |                     ^^^^
# 39 |                 b[vi] = b[vi] + a[vi, vj]
#    |                 ----- this one is computed on from
#    |
# help: T.init sets the same element
#    |
# 38 |                     b[vi] = T.float32(0)
#    |                       ~~
#
