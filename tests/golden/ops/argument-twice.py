# FAIL: check
# An argument is given twice.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.sum(x, [1], axis=[0])
# OUT:
# error[E0652]: argument `axis` of `R.sum` is given twice
#  --> argument-twice.py:7:26
#   |
# 7 |     return R.sum(x, [1], axis=[0])
#   |                     ---  ^^^^
#   |                     |
#   |                     given here already
#
