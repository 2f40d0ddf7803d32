# FAIL: check
# Floats have no bits that a function could take, as they have none for the operators that are printed for it.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((4,), "float32"), N: T.Buffer((4,), "int32")):
    A[0] = T.bitwise_not(A[1])
    A[0] = T.bitwise_and(A[1], A[2])
    A[0] = T.shift_left(A[1], A[2])
    N[0] = T.bitwise_not(N[1])
    N[0] = T.shift_right(N[1], 2)
# OUT:
# error[E0403]: operator `bitwise_not` has no meaning on float32
#  --> bits-of-floats.py:8:12
#   |
# 8 |     A[0] = T.bitwise_not(A[1])
#   |            ^^^^^^^^^^^^^^^^^^^
#
# error[E0403]: operator `bitwise_and` has no meaning on float32
#  --> bits-of-floats.py:9:12
#   |
# 9 |     A[0] = T.bitwise_and(A[1], A[2])
#   |            ^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0403]: operator `shift_left` has no meaning on float32
#   --> bits-of-floats.py:10:12
#    |
# 10 |     A[0] = T.shift_left(A[1], A[2])
#    |            ^^^^^^^^^^^^^^^^^^^^^^^^
#
