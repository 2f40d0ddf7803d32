# FAIL: check
# An annotation is no type.
from tvm.script import relax as R

@R.function
def main(x: 4):
    return x
# OUT:
# error[E0250]: expected a type, found a number
#  --> type-expected.py:6:13
#   |
# 6 | def main(x: 4):
#   |             ^
#   |
#   = help: types are R.Tensor((2, 3), "float32"), R.Shape([2, n]), R.Tuple(..), R.Callable(..), R.Any and T.int64
#
