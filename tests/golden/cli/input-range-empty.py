# FAIL: run --in x=random:3:2:2
# A range that holds nothing.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "float32")):
    return x
# OUT:
# error[E0707]: input `x`: cannot read `random:3:2:2`: the range is empty, or not finite
#  --> input-range-empty.py:7:10
#   |
# 7 | def main(x: R.Tensor((2,), "float32")):
#   |          ^ parameter of `main`
#
