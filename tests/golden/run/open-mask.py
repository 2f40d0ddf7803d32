# FAIL: run --interpret --in=x=3:ones
# The interpreter looks at ranks that the script leaves open before it goes by them.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(dtype="float32"), m: R.Tensor((2, 3), "bool")):
    return R.masked_fill(x, m, R.const(0, "float32"))
# OUT:
# error[E0802]: `R.masked_fill`: `mask` must have rank 1, as the tensor that it masks, and its shape is (2, 3)
#  --> open-mask.py:8:29
#   |
# 8 |     return R.masked_fill(x, m, R.const(0, "float32"))
#   |                             ^
#
