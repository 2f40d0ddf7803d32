# FAIL: check
# An operator is given too many arguments.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.nn.relu(x, x)
# OUT:
# error[E0654]: `R.nn.relu` takes at most 1 argument, not 2
#  --> arguments-too-many.py:7:25
#   |
# 7 |     return R.nn.relu(x, x)
#   |                         ^
#   |
#   = help: its arguments are `data`
#
