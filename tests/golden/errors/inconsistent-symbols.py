# FAIL: run --in "x=3x2:ones" --in "y=4x2:ones"
# Inputs that give one symbol two values are refused with both.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), dtype="float32"), y: R.Tensor(("n", 2), dtype="float32")) -> R.Tensor(("n", 2), dtype="float32"):
        z = R.add(x, y)
        return z
# OUT:
# error[E0711]: `n` is 3 by input `x`, but 4 by input `y`
#   --> inconsistent-symbols.py:11:54
#    |
# 11 |     def main(x: R.Tensor(("n", 2), dtype="float32"), y: R.Tensor(("n", 2), dtype="float32")) -> R.Tensor(("n", 2), dtype="float32"):
#    |              -                                       ^ 4 here
#    |              |
#    |              3 here
#
