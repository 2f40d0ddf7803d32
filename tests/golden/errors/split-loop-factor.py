# FAIL: opt -p SplitLoop(factor=1)
# Pieces of one iteration are no pieces.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# error[E0909]: option `factor` of pass `SplitLoop` is no number from 2 to 1000000
#  --> <passes>:1:1
#   |
# 1 | SplitLoop(factor=1)
#   | ^^^^^^^^^^^^^^^^^^^
#
