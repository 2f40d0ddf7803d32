# FAIL: run --in x=2x3xf64:random
# A dtype stands in front of elements alone; the type of the parameter says it.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return x
# OUT:
# error[E0707]: input `x`: cannot read `2x3xf64:random`: the parameter says the dtype: 2x3:random
#  --> input-typed-word.py:7:10
#   |
# 7 | def main(x: R.Tensor((2, 3), "float32")):
#   |          ^ parameter of `main`
#
