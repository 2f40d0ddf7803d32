# FAIL: check
# A class or function has no decorator that says what it is.
from tvm.script import relax as R

def main(x: R.Tensor((4,), "float32")):
    return x
# OUT:
# error[E0153]: function `main` needs @R.function
#  --> decorator-missing.py:5:5
#   |
# 5 | def main(x: R.Tensor((4,), "float32")):
#   |     ^^^^
#   |
# help: write `@R.function`
#   |
# 5 | @R.function
#   | +++++++++++
#
