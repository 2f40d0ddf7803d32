# FAIL: check
# Elements are accessed with one integer for each dimension; slices are vectors of known length.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
    B[0] = A[0]
    B[0, 1] = A[0, 0]
    B[A[0, 0]] = 1.0
    B[0:n] = A[0, 0:n]
    A[0:4, 0] = 1.0
    n[0] = 1
    B[0] = A
    B[0] = B.size
    C = T.alloc_buffer((n * 1.5,))
    C[0] = 1.0
# OUT:
# error[E0407]: the number of indices of `A` is 2, not 1
#  --> access-mistakes.py:8:12
#   |
# 7 | def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
#   |          - `A` is defined here
# 8 |     B[0] = A[0]
#   |            ^^^^
#
# error[E0407]: the number of indices of `B` is 1, not 2
#  --> access-mistakes.py:9:5
#   |
# 7 | def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
#   |                                            - `B` is defined here
# 8 |     B[0] = A[0]
# 9 |     B[0, 1] = A[0, 0]
#   |     ^^^^^^^
#
# error[E0408]: this must be an integer, not float32
#   --> access-mistakes.py:10:7
#    |
#  7 | def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
#    |          - `A` holds float32
# ...
# 10 |     B[A[0, 0]] = 1.0
#    |       ^^^^^^^
#
# error[E0409]: the slice has no length that is known
#   --> access-mistakes.py:11:7
#    |
# 11 |     B[0:n] = A[0, 0:n]
#    |       ^^^
#    |
#    = help: a slice in an access is a vector: its ends differ by a number
#
# error[E0409]: the slice has no length that is known
#   --> access-mistakes.py:11:19
#    |
# 11 |     B[0:n] = A[0, 0:n]
#    |                   ^^^
#    |
#    = help: a slice in an access is a vector: its ends differ by a number
#
# error[E0409]: the slice stands not in the last dimension, where vectors stand
#   --> access-mistakes.py:12:7
#    |
# 12 |     A[0:4, 0] = 1.0
#    |       ^^^
#
# error[E0411]: cannot store to what is no buffer
#   --> access-mistakes.py:13:5
#    |
# 13 |     n[0] = 1
#    |     ^
#
# error[E0406]: a buffer is no scalar expression
#   --> access-mistakes.py:14:12
#    |
# 14 |     B[0] = A
#    |            ^
#    |
#    = help: read an element: `A[..]`
#
# error[E0433]: a buffer has no attribute `size`
#   --> access-mistakes.py:15:14
#    |
# 15 |     B[0] = B.size
#    |              ^^^^
#
# error[E0408]: a dimension must be an integer, not float32
#   --> access-mistakes.py:16:25
#    |
# 16 |     C = T.alloc_buffer((n * 1.5,))
#    |                         ^^^^^^^
#
