# FAIL: check
# Each axis has one name: neither a tuple nor an element takes it.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        with T.sblock("wrapped"):
            (vi,), vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    for i, j in T.grid(4, 4):
        with T.sblock("element"):
            vi, A[0, 0] = T.axis.remap("SS", [i, j])
            B[vi, j] = A[vi, j]
    for i, j in T.grid(4, 4):
        with T.sblock("pair"):
            (vi, vk), vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vk]
# OUT:
# error[E0101]: expected the name of an axis, found a tuple
#   --> axis-names.py:10:13
#    |
# 10 |             (vi,), vj = T.axis.remap("SS", [i, j])
#    |             ^^^^^
#    |
# help: it stands alone
#    |
# 10 |             vi, vj = T.axis.remap("SS", [i, j])
#    |             ~~
#
# error[E0101]: expected the name of an axis, found an element
#   --> axis-names.py:14:17
#    |
# 14 |             vi, A[0, 0] = T.axis.remap("SS", [i, j])
#    |                 ^^^^^^^
#
# error[E0101]: expected the name of an axis, found a tuple
#   --> axis-names.py:18:13
#    |
# 18 |             (vi, vk), vj = T.axis.remap("SS", [i, j])
#    |             ^^^^^^^^
#
