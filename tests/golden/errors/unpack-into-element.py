# FAIL: check
# Several values are unpacked into names, not into elements of a buffer.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32"), H: T.Buffer((16,), "float32")):
    A[1], = H[0]
# OUT:
# error[E0411]: cannot store to elements by unpacking
#  --> unpack-into-element.py:8:5
#   |
# 8 |     A[1], = H[0]
#   |     ^^^^
#
