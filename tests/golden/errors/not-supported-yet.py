# FAIL: run
# An operator that only parses says so by its name.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 8, 8), dtype="float32")) -> R.Tensor((1, 3, 4, 4), dtype="float32"):
        y = R.nn.max_pool2d(x, pool_size=[2, 2], strides=[2, 2])
        return y
# OUT:
# error[E0620]: not supported yet: `R.nn.max_pool2d`
#   --> not-supported-yet.py:12:13
#    |
# 12 |         y = R.nn.max_pool2d(x, pool_size=[2, 2], strides=[2, 2])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
