# FAIL: check
# An argument of an operator is missing.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.add(x)
# OUT:
# error[E0653]: `R.add` needs its argument `x2`
#  --> argument-missing.py:7:12
#   |
# 7 |     return R.add(x)
#   |            ^^^^^^^^
#
