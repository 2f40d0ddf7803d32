# FAIL: run --in "x=4xf32=1 2 3 4" --in "i=2xi64=0 4"
# An index outside of the axis is an error at run time.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), i: R.Tensor((2,), dtype="int64")):
        y = R.take(x, i, axis=0)
        return y
# OUT:
# error[E0803]: index 4 is out of range for axis 0 of `x` (extent 4)
#   --> take-outside.py:10:9
#    |
# 10 |         y = R.take(x, i, axis=0)
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^
#
