# FAIL: check
# A name of a branch is used outside of it.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    if c:
        a = R.add(x, x)
        y = R.multiply(a, a)
    else:
        y = R.add(x, x)
    return R.add(a, y)
# OUT:
# error[E0553]: `a` is visible only in its branch
#   --> branch-name-escapes.py:12:18
#    |
#  8 |         a = R.add(x, x)
#    |         - bound in the branch
# ...
# 12 |     return R.add(a, y)
#    |                  ^
#    |
#    = help: make it the last binding of both branches
#
