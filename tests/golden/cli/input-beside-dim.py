# FAIL: run --in x=3:random --dim n=4
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
    y = R.add(x, threshold)
    return y
# OUT:
# error[E0711]: `n` is 4 by --dim, but 3 by input `x`
#  --> input-beside-dim.py:6:10
#   |
# 6 | def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
#   |          ^ 3 here
#
