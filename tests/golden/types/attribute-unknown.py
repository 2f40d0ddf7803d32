# FAIL: check
# A value has no such attribute.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.add(x, x.sum())
# OUT:
# error[E0266]: R.Tensor((2, 3), dtype="float32") has no attribute `sum`
#  --> attribute-unknown.py:7:23
#   |
# 7 |     return R.add(x, x.sum())
#   |                       ^^^
#   |
# help: operators are functions: `R.sum`
#   |
# 7 |     return R.add(x, R.sum(x))
#   |                     ~~~~~~~
#
