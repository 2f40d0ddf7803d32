# FAIL: check
# A window of nothing has no mean, and one that does not move has no end.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((1, 2, 8, 8), "float32")):
    a = R.nn.avg_pool2d(x, pool_size=[0, 2])
    b = R.nn.max_pool2d(x, pool_size=[-9, 2])
    c = R.nn.avg_pool2d(x, pool_size=[2, 2], strides=[0, 1])
    d = R.nn.avg_pool2d(x, pool_size=[2, 2], strides=[2, 1], dilation=[1, 2])
    return d
# OUT:
# error[E0609]: `R.nn.avg_pool2d`: `pool_size` must be positive
#  --> pool-sizes.py:8:38
#   |
# 8 |     a = R.nn.avg_pool2d(x, pool_size=[0, 2])
#   |                                      ^^^^^^
#
# error[E0609]: `R.nn.max_pool2d`: `pool_size` must be positive
#  --> pool-sizes.py:9:38
#   |
# 9 |     b = R.nn.max_pool2d(x, pool_size=[-9, 2])
#   |                                      ^^^^^^^
#
# error[E0609]: `R.nn.avg_pool2d`: `strides` must be positive
#   --> pool-sizes.py:10:54
#    |
# 10 |     c = R.nn.avg_pool2d(x, pool_size=[2, 2], strides=[0, 1])
#    |                                                      ^^^^^^
#
