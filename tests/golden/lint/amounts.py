# RUN: check
# Shifts by all the bits there are and more, and integers divided by 0, in kernels and graphs; none of shifts that leave something, or of floats.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def k(a: T.Buffer((8,), "uint8"), b: T.Buffer((8,), "uint8"), c: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] << T.uint8(8)
            b[i] = a[i] >> 44
            b[i] = a[i] >> T.uint8(7)
            b[i] = a[i] // 0
            b[i] = a[i] % T.uint8(0)
            c[i] = c[i] / 0.0

    @R.function
    def main(x: R.Tensor((8,), "int32")):
        y = R.right_shift(x, R.const(32, "int32"))
        z = R.left_shift(y, R.const(-1, "int32"))
        w = z // R.const(0, "int32")
        v = R.right_shift(w, R.const(31, "int32"))
        return v
# OUT:
# warning[E0447]: uint8 has 8 bits, and is shifted by 8
#   --> amounts.py:11:28
#    |
# 11 |             b[i] = a[i] << T.uint8(8)
#    |                            ^^^^^^^^^^
#    |
#    = help: convert it to a wider type first: `T.Cast("uint64", ..)`
#
# warning[E0447]: int32 has 32 bits, and is shifted by 44
#   --> amounts.py:12:28
#    |
# 12 |             b[i] = a[i] >> 44
#    |                            ^^
#    |
#    = help: convert it to a wider type first: `T.Cast("uint64", ..)`
#
# warning[E0448]: an integer is divided by 0
#   --> amounts.py:14:28
#    |
# 14 |             b[i] = a[i] // 0
#    |                            ^
#    |
#    = note: the result is 0, and so is the remainder
#
# warning[E0448]: an integer is divided by 0
#   --> amounts.py:15:27
#    |
# 15 |             b[i] = a[i] % T.uint8(0)
#    |                           ^^^^^^^^^^
#    |
#    = note: the result is 0, and so is the remainder
#
# warning[E0447]: int32 has 32 bits, and is shifted by 32
#   --> amounts.py:20:30
#    |
# 20 |         y = R.right_shift(x, R.const(32, "int32"))
#    |                              ^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: convert it to a wider type first: `R.astype(.., "uint64")`
#
# warning[E0447]: int32 has 32 bits, and is shifted by -1
#   --> amounts.py:21:29
#    |
# 21 |         z = R.left_shift(y, R.const(-1, "int32"))
#    |                             ^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: shift by 0 to 31
#
# warning[E0448]: an integer is divided by 0
#   --> amounts.py:22:18
#    |
# 22 |         w = z // R.const(0, "int32")
#    |                  ^^^^^^^^^^^^^^^^^^^
#    |
#    = note: the result is 0, and so is the remainder
#
