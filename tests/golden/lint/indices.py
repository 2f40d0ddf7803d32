# RUN: check
# An index that is out of range in some iteration of its loops; the first of each statement is told.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def ends(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32"), n: T.int64):
        for i, j in T.grid(4, 8):
            with T.sblock("above"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, vj + 1]
        for i in range(4):
            b[i, 0] = a[2 - i, 0]
        b[0, 8] = a[0, 0]
        for i, j in T.grid(2, 4):
            b[0, i * 5 + j] = 1.0

    # under conditions, of values that do not come together, in loops that never run: nothing is said
    @T.prim_func
    def quiet(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32"), n: T.int64):
        if n < 4:
            b[0, 9] = 1.0
        for i in range(4):
            with T.sblock("same"):
                vi = T.axis.spatial(4, i)
                wi = T.axis.spatial(4, i)
                b[vi - wi, 0] = a[vi + wi - vi, 0]
        for i in range(4):
            for j in range(i + 1):
                b[i - j, i + j] = T.if_then_else(j > 0, a[0, j - 1], 0.0)
        for i in range(0):
            b[9, 9] = 1.0
        for i in range(n):
            b[0, n] = a[0, i]
        for i in range(5):
            with T.sblock("part"):
                vi = T.axis.spatial(4, i)
                T.where(i < 4)
                b[vi, 0] = a[vi, 0]
        while n < 0:
            b[9, 9] = 1.0
# OUT:
# warning[E0442]: index `vj + 1` of `a`, axis 1, is out of range
#   --> indices.py:13:35
#    |
#  9 |     def ends(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32"), n: T.int64):
#    |              - axis 1 has indices from 0 to below 8
# ...
# 13 |                 b[vi, vj] = a[vi, vj + 1]
#    |                                   ^^^^^^ this becomes 8
#    |
#    = note: a run ends with an error when it gets there
#
# warning[E0442]: index `2 - i` of `a`, axis 0, is out of range
#   --> indices.py:15:25
#    |
#  9 |     def ends(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32"), n: T.int64):
#    |              - axis 0 has indices from 0 to below 4
# ...
# 15 |             b[i, 0] = a[2 - i, 0]
#    |                         ^^^^^ this becomes -1
#    |
#    = note: a run ends with an error when it gets there
# help: an index is not counted from the end of the axis: that is written out
#    |
# 15 |             b[i, 0] = a[(2 - i) % 4, 0]
#    |                         ~~~~~~~~~~~
#
# warning[E0442]: index `8` of `b`, axis 1, is out of range
#   --> indices.py:16:14
#    |
#  9 |     def ends(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32"), n: T.int64):
#    |                                              - axis 1 has indices from 0 to below 8
# ...
# 16 |         b[0, 8] = a[0, 0]
#    |              ^
#    |
#    = note: a run ends with an error when it gets there
#
# warning[E0442]: index `i * 5 + j` of `b`, axis 1, is out of range
#   --> indices.py:18:18
#    |
#  9 |     def ends(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32"), n: T.int64):
#    |                                              - axis 1 has indices from 0 to below 8
# ...
# 18 |             b[0, i * 5 + j] = 1.0
#    |                  ^^^^^^^^^ this becomes 8
#    |
#    = note: a run ends with an error when it gets there
#
