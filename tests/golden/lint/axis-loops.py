# RUN: check
# Axes whose extents are symbols: by a loop of another extent, and two by one loop; what fits is not told of.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def grid(a: T.Buffer(("n", 16), "float32"), b: T.Buffer((16,), "float32")):
        n = T.int64()
        for j, r in T.grid(16, 16):
            with T.sblock("sum"):
                vj = T.axis.spatial(16, j)
                vr = T.axis.reduce(n, r)
                with T.init():
                    b[vj] = T.float32(0)
                b[vj] = b[vj] + a[vr, vj]

    @T.prim_func
    def diagonal(a: T.Buffer(("n", 24), "float32"), b: T.Buffer(("n", 24), "float32")):
        n = T.int64()
        for i, j in T.grid(n, 24):
            with T.sblock("copy"):
                vi = T.axis.spatial(n, i)
                vj = T.axis.spatial(24, i)
                b[vi, vj] = a[vi, vj]

    @T.prim_func
    def right(a: T.Buffer(("n", 24), "float32"), b: T.Buffer(("n", 24), "float32"), c: T.Buffer(("n", "n"), "float32")):
        n = T.int64()
        for i, j in T.grid(n, 24):
            with T.sblock("copy"):
                vi = T.axis.spatial(n, i)
                vj = T.axis.spatial(24, j)
                b[vi, vj] = a[vi, vj]
        for i in range(n):
            with T.sblock("diagonal"):
                vi, vj = T.axis.remap("SS", [i, i])
                c[vi, vj] = T.float32(1)
        for i in range(32):
            with T.sblock("guarded"):
                vi = T.axis.spatial(n, i)
                T.where(i < n)
                b[vi, 0] = a[vi, 0]
# OUT:
# warning[E0443]: axis `vr` is said to have extent n, and its loops give it another
#   --> axis-loops.py:14:39
#    |
# 14 |                 vr = T.axis.reduce(n, r)
#    |                                       ^ goes from 0 to below 16
#    |
# help: make both the same; T.where(..) says which iterations of a loop count
#    |
# 11 |         for j, r in T.grid(16, n):
#    |                                ~
#
# warning[E0453]: axes `vi` and `vj` both go by loop `i`, and none by `j`
#   --> axis-loops.py:25:41
#    |
# 22 |         for i, j in T.grid(n, 24):
#    |                - no axis goes by this loop
# ...
# 25 |                 vj = T.axis.spatial(24, i)
#    |                                         ^
#    |
# help: `vj` goes by `j`
#    |
# 25 |                 vj = T.axis.spatial(24, j)
#    |                                         ~
#
