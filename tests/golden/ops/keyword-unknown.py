# FAIL: check
# An operator has no argument of that name.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.sum(x, axes=[1])
# OUT:
# error[E0651]: `R.sum` has no argument `axes`
#  --> keyword-unknown.py:7:21
#   |
# 7 |     return R.sum(x, axes=[1])
#   |                     ^^^^
#   |
# help: it is called `axis` here
#   |
# 7 |     return R.sum(x, axis=[1])
#   |                       ~
#   = help: its arguments are `x`, `axis`, `keepdims`
#
