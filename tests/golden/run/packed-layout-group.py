# FAIL: check
# Groups are as long as the layout says, and of an axis that is there.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 3, 3, 4), dtype="float32")):
        y = R.nn.max_pool2d(x, pool_size=[2, 2], layout="NCHW8c")
        z = R.nn.max_pool2d(x, pool_size=[2, 2], layout="NCHW4d")
        return (y, z)
# OUT:
# error[E0610]: `R.nn.max_pool2d`: a group of `data` is 4, but the number in the layout is 8
#   --> packed-layout-group.py:10:13
#    |
# 10 |         y = R.nn.max_pool2d(x, pool_size=[2, 2], layout="NCHW8c")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0609]: `R.nn.max_pool2d`: `layout` must hold the letters NCHW, not "NCHW4d"
#   --> packed-layout-group.py:11:57
#    |
# 11 |         z = R.nn.max_pool2d(x, pool_size=[2, 2], layout="NCHW4d")
#    |                                                         ^^^^^^^^
#
