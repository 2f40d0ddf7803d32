# FAIL: check
# Literals that are none.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.const(1, "float32)
    b = R.const(1x, "float32")
    c = R.const(99999999999999999999, "int64")
    d = R.const(1e400, "float64")
    e = R.print(x, format=R.str("\x1"))
    return x
# OUT:
# error[E0104]: the string is never closed
#  --> strings-and-numbers.py:8:20
#   |
# 8 |     a = R.const(1, "float32)
#   |                    ^
#   |
#   = help: a string over several lines needs three quotes
# help: close it behind the word
#   |
# 8 |     a = R.const(1, "float32")
#   |                            +
#
# error[E0107]: `1x` is no number
#  --> strings-and-numbers.py:9:17
#   |
# 9 |     b = R.const(1x, "float32")
#   |                 ^^
#   |
# help: a product is written `*`
#   |
# 9 |     b = R.const(1 * x, "float32")
#   |                  +++
#
# error[E0108]: the number `99999999999999999999` needs more than 64 bits
#   --> strings-and-numbers.py:10:17
#    |
# 10 |     c = R.const(99999999999999999999, "int64")
#    |                 ^^^^^^^^^^^^^^^^^^^^
#
# error[E0108]: the number `1e400` needs more than 64 bits
#   --> strings-and-numbers.py:11:17
#    |
# 11 |     d = R.const(1e400, "float64")
#    |                 ^^^^^
#    |
#    = note: the largest float64 is about 1.8e308
#
# error[E0111]: `\x1` is no escape sequence
#   --> strings-and-numbers.py:12:34
#    |
# 12 |     e = R.print(x, format=R.str("\x1"))
#    |                                  ^^^
#    |
# help: a backslash is written twice
#    |
# 12 |     e = R.print(x, format=R.str("\\x1"))
#    |                                  +
#
