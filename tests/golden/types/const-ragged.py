# FAIL: check
# The lists of a constant do not make a rectangle.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.add(x, R.const([[1, 2, 3], [4, 5]], "float32"))
# OUT:
# error[E0262]: the nested lists do not make a rectangle: the lists have different lengths
#  --> const-ragged.py:7:41
#   |
# 7 |     return R.add(x, R.const([[1, 2, 3], [4, 5]], "float32"))
#   |                                         ^^^^^^
#
