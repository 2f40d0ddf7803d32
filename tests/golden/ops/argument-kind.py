# FAIL: check
# An argument is of a wrong kind.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.sum(x, axis="rows")
# OUT:
# error[E0655]: argument `axis` of `R.sum` must be a list of integers, not a string
#  --> argument-kind.py:7:26
#   |
# 7 |     return R.sum(x, axis="rows")
#   |                          ^^^^^^
#
