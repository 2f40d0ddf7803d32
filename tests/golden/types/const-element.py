# FAIL: check
# An element of a constant is no number.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.add(x, R.const([1.0, x], "float32"))
# OUT:
# error[E0264]: `x` is no number
#  --> const-element.py:7:35
#   |
# 7 |     return R.add(x, R.const([1.0, x], "float32"))
#   |                                   ^
#   |
#   = note: Python values must be written as literals
#
