# FAIL: run --in x=random:3:0
# A range has two limits.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "uint8")):
    return x
# OUT:
# error[E0707]: input `x`: cannot read `random:3:0`: a range is written random:SEED:LOW:HIGH
#  --> input-range-half.py:7:10
#   |
# 7 | def main(x: R.Tensor((2,), "uint8")):
#   |          ^ parameter of `main`
#
