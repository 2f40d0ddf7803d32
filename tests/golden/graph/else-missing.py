# FAIL: check
# A branch without else.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.add(x, x)
    return x
# OUT:
# error[E0559]: `if` without `else`
#  --> else-missing.py:7:5
#   |
# 7 |     if c:
#   |     ^^^^
#   |
#   = help: add an `else` that binds the same name
#
