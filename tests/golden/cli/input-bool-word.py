# FAIL: run --dim n=2 --in sharp=yes
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
    y = R.add(x, threshold)
    return y
# OUT:
# error[E0707]: input `sharp`: cannot read `yes`: it is no @FILE, random, zeros, ones, iota, number, true, false or 2x3xf32=1 2 ..
#  --> input-bool-word.py:6:78
#   |
# 6 | def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
#   |                                                                              ^^^^^ parameter of `main`
#   |
#   = help: it is a bool, so write `true` or `false`: --in sharp=true
#
