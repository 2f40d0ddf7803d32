# FAIL: run --in thresh=0.5
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
    y = R.add(x, threshold)
    return y
# OUT:
# error[E0706]: `main` has no parameter `thresh`
#  --> input-near-name.py:6:5
#   |
# 6 | def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
#   |     ^^^^
#   |
#   = note: it takes `x`, `threshold`, `sharp`
#   = help: the nearest is `threshold`: --in threshold=0.5
#
