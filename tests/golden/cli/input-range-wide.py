# FAIL: run --in x=random:3:0:257
# Numbers that the dtype has not.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "uint8")):
    return x
# OUT:
# error[E0707]: input `x`: cannot read `random:3:0:257`: the range holds numbers that its dtype has not
#  --> input-range-wide.py:7:10
#   |
# 7 | def main(x: R.Tensor((2,), "uint8")):
#   |          ^ parameter of `main`
#
