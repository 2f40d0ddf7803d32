# FAIL: check
# Operators on what they are not defined for.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32"), h: T.handle, n: T.int32):
    A[0] = n / 2
    A[0] = A[1] // 2.0
    A[0] = A[1] << 1
    A[0] = h + 1
    A[0] = T.Select(n, 1.0, 2.0)
    A[0] = T.int8(300)
    A[0] = T.exp(A[0], A[1])
    A[0] = T.expp(A[0])
    A[0] = T.Cast("float", n)
    v: T.let[T.int64] = n
# OUT:
# error[E0402]: `/` of integers is ambiguous
#  --> type-mistakes.py:8:12
#   |
# 8 |     A[0] = n / 2
#   |            ^^^^^
#   |
# help: the quotient as a float is that of floats
#   |
# 8 |     A[0] = T.Cast("float32", n) / 2
#   |            ~~~~~~~~~~~~~~~~~~~~
# help: `//` rounds down, `T.truncdiv(a, b)` towards zero
#   |
# 8 |     A[0] = n // 2
#   |               +
#
# error[E0403]: operator `//` has no meaning on float32
#  --> type-mistakes.py:9:12
#   |
# 9 |     A[0] = A[1] // 2.0
#   |            ^^^^
#   |
# help: the quotient of floats is `/`; `T.floor(a / b)` rounds it down
#   |
# 9 |     A[0] = A[1] // 2.0
#   |                  -
#
# error[E0403]: operator `<<` has no meaning on float32
#   --> type-mistakes.py:10:12
#    |
# 10 |     A[0] = A[1] << 1
#    |            ^^^^
#
# error[E0401]: handle and int32 cannot be brought to one type
#   --> type-mistakes.py:11:12
#    |
# 11 |     A[0] = h + 1
#    |            ^^^^^ int32
#    |            |
#    |            handle
#
# error[E0410]: a condition is a bool, not int32
#   --> type-mistakes.py:12:21
#    |
# 12 |     A[0] = T.Select(n, 1.0, 2.0)
#    |                     ^
#    |
# help: compare it: `.. != 0`
#    |
# 12 |     A[0] = T.Select(n != 0, 1.0, 2.0)
#    |                      +++++
#
# error[E0429]: 300 does not fit into int8
#   --> type-mistakes.py:13:19
#    |
# 13 |     A[0] = T.int8(300)
#    |                   ^^^
#
# error[E0405]: `T.exp` takes 1 argument, not 2
#   --> type-mistakes.py:14:12
#    |
# 14 |     A[0] = T.exp(A[0], A[1])
#    |            ^^^^^^^^^^^^^^^^^
#
# error[E0404]: `T.expp` is no function that a kernel can call
#   --> type-mistakes.py:15:12
#    |
# 15 |     A[0] = T.expp(A[0])
#    |            ^^^^^^
#    |
#    = help: there are `T.exp` and `T.exp2`
#
# error[E0430]: `float` is no dtype
#   --> type-mistakes.py:16:19
#    |
# 16 |     A[0] = T.Cast("float", n)
#    |                   ^^^^^^^
#    |
#    = help: dtypes are written "float32", "int64", "bool"
# help: write `"float32"`
#    |
# 16 |     A[0] = T.Cast("float32", n)
#    |                         ++
#
# error[E0436]: the value is int32, but the annotation says int64
#   --> type-mistakes.py:17:25
#    |
# 17 |     v: T.let[T.int64] = n
#    |                         ^
#    |
# help: convert it: `T.int64(..)`
#    |
# 17 |     v: T.let[T.int64] = T.int64(n)
#    |                         ~~~~~~~~~~
#
