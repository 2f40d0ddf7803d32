# FAIL: check
# The branches end with different names.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.add(x, x)
    else:
        z = R.multiply(x, x)
    return y
# OUT:
# error[E0560]: the branches end with different names: `y` and `z`
#   --> branches-differ.py:10:9
#    |
#  8 |         y = R.add(x, x)
#    |         - the first branch ends with `y`
#  9 |     else:
# 10 |         z = R.multiply(x, x)
#    |         ^
#    |
#    = note: the value of a branch is its last binding
# help: `y` is read behind them
#    |
# 10 |         y = R.multiply(x, x)
#    |         ~
#
