# FAIL: check
# A bracket that is not closed does not swallow the statements behind it.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.add(x, x
    b = R.add((x, x)
    c = R.add(x, x])
    return a


@R.function
def second(x: R.Tensor((4,), "float32"):
    return x
# OUT:
# error[E0105]: `(` is never closed
#  --> brackets.py:8:14
#   |
# 8 |     a = R.add(x, x
#   |              ^
#   |
# help: close it with `)`
#   |
# 8 |     a = R.add(x, x)
#   |                   +
#
# error[E0105]: `(` is never closed
#  --> brackets.py:9:14
#   |
# 9 |     b = R.add((x, x)
#   |              ^
#   |
# help: close it with `)`
#   |
# 9 |     b = R.add((x, x))
#   |                     +
#
# error[E0106]: `]` closes no bracket
#   --> brackets.py:10:19
#    |
# 10 |     c = R.add(x, x])
#    |              -    ^
#    |              |
#    |              `(` is open here and wants `)`
#    |
# help: remove it
#    |
# 10 |     c = R.add(x, x])
#    |                   -
#
# error[E0105]: `(` is never closed
#   --> brackets.py:15:11
#    |
# 15 | def second(x: R.Tensor((4,), "float32"):
#    |           ^
#    |
# help: close it with `)`
#    |
# 15 | def second(x: R.Tensor((4,), "float32")):
#    |                                        +
#
