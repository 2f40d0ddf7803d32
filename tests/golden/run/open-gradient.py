# FAIL: run --in=g=1x2x3x2:ones
# A gradient has the shape of what the pool gave; where only the run knows it, it is looked at there.
from tvm.script import relax as R


@R.function
def main(g: R.Tensor((1, 2, "h", "w"), "float32"), x: R.Tensor((1, 2, 3, 5), "float32")):
    return R.grad.max_pool2d_backward(g, x, pool_size=[2, 2], strides=[1, 2])
# OUT:
# error[E0804]: assertion failed: dimension 2 of `output_grad` is not dimension 2 of the result of the pool
#  --> open-gradient.py:8:5
#   |
# 8 |     return R.grad.max_pool2d_backward(g, x, pool_size=[2, 2], strides=[1, 2])
#   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
