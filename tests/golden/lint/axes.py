# RUN: check
# An axis whose domain is not what its loops go through.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def k(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32")):
        for i in range(4):
            with T.sblock("less"):
                v = T.axis.spatial(8, i)
                b[v] = a[v]
        for i, j in T.grid(2, 4):
            with T.sblock("right"):
                v = T.axis.spatial(8, i * 4 + j)
                c[v] = a[v]
        for i, j in T.grid(3, 3):
            with T.sblock("guarded"):
                v = T.axis.spatial(8, i * 3 + j)
                T.where(i * 3 + j < 8)
                c[v] = a[v]
        for k in range(2, 8):
            with T.sblock("late"):
                v = T.axis.spatial(8, k)
                c[v] = a[v]
# OUT:
# warning[E0443]: axis `v` is said to have extent 8, and its loops give it another
#   --> axes.py:12:39
#    |
# 12 |                 v = T.axis.spatial(8, i)
#    |                                       ^ goes from 0 to 3
#    |
#    = help: make both the same; T.where(..) says which iterations of a loop count
# help: `i` runs to below 4
#    |
# 10 |         for i in range(8):
#    |                        ~
#
# warning[E0443]: axis `v` is said to have extent 8, and its loops give it another
#   --> axes.py:25:39
#    |
# 25 |                 v = T.axis.spatial(8, k)
#    |                                       ^ goes from 2 to 7
#    |
#    = help: make both the same; T.where(..) says which iterations of a loop count
#
