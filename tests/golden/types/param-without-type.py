# FAIL: check
# A parameter has no type.
from tvm.script import relax as R

@R.function
def main(x):
    return x
# OUT:
# error[E0256]: parameter `x` has no type
#  --> param-without-type.py:6:10
#   |
# 6 | def main(x):
#   |          ^
#   |
#   = help: write `x: R.Tensor(..)`, or `x: R.Any` for anything
#
