# FAIL: check
# A dataflow block holds pure operations only.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        with R.dataflow():
            _ = R.print(x, format="{}")
            y = R.add(x, x)
            R.output(y)
        return y
# OUT:
# error[E0504]: `print` has an effect and stands in a dataflow block
#   --> impure-in-dataflow.py:13:17
#    |
# 12 |         with R.dataflow():
#    |              ------------ the dataflow block
# 13 |             _ = R.print(x, format="{}")
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: put the call in front of the block or behind it
#
