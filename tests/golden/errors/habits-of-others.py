# FAIL: check
# One message for one mistake: counts, places of marks, and names that follow from a wrong line.
from tvm.script import ir as I, relax as R, tirx as T

A, B = 0.5
C, D = 1, 2, 3


@I.ir_module
class Module:
    @T.prim_func
    def grid(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32")):
        for i in T.grid(4, 8):
            with T.sblock("s"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, vj] * T.float32(A) + T.float32(B)

    @T.prim_func
    def pick(a: T.Buffer((8,), "float32"), labels: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[labels[i]]

    @T.prim_func
    def count(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i, j in T.grid(8):
            b[i] = a[i]

    @R.function(private="yes")
    def main(x: R.Tensor((8,), "float32")):
        p, q = (x, x, x)
        return p
# OUT:
# error[E0260]: 2 names for 1 value
#  --> habits-of-others.py:5:1
#   |
# 5 | A, B = 0.5
#   | ^^^^
#
# error[E0260]: 2 names for 3 values
#  --> habits-of-others.py:6:1
#   |
# 6 | C, D = 1, 2, 3
#   | ^^^^
#
# error[E0414]: 1 name for 2 loops
#   --> habits-of-others.py:13:13
#    |
# 13 |         for i in T.grid(4, 8):
#    |             ^
# 14 |             with T.sblock("s"):
# 15 |                 vi, vj = T.axis.remap("SS", [i, j])
#    |                                              - used as one loop
#    |
# help: each loop has a variable
#    |
# 13 |         for i, j in T.grid(4, 8):
#    |              +++
#
# error[E0408]: this must be an integer, not float32
#   --> habits-of-others.py:21:22
#    |
# 19 |     def pick(a: T.Buffer((8,), "float32"), labels: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
#    |                                            ------ `labels` holds float32
# 20 |         for i in range(8):
# 21 |             b[i] = a[labels[i]]
#    |                      ^^^^^^^^^
#
# error[E0414]: 2 names for 1 loop
#   --> habits-of-others.py:25:13
#    |
# 25 |         for i, j in T.grid(8):
#    |             ^^^^
#
# error[E0101]: expected True or False, found a string
#   --> habits-of-others.py:28:25
#    |
# 28 |     @R.function(private="yes")
#    |                         ^^^^^
#
# error[E0260]: 2 names for 3 values
#   --> habits-of-others.py:30:9
#    |
# 30 |         p, q = (x, x, x)
#    |         ^^^^
#    |
# help: there are 3 parts
#    |
# 30 |         p, q, _ = (x, x, x)
#    |             +++
#
