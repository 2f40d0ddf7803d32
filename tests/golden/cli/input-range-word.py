# FAIL: run --in x=random:3:low:2
# Limits are numbers.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "int32")):
    return x
# OUT:
# error[E0707]: input `x`: cannot read `random:3:low:2`: a limit of the range is no number of its dtype
#  --> input-range-word.py:7:10
#   |
# 7 | def main(x: R.Tensor((2,), "int32")):
#   |          ^ parameter of `main`
#
