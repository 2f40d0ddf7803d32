# FAIL: check
# Ndim and the shape of a type disagree.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4, 4), "float32", ndim=3)):
    return x
# OUT:
# error[E0251]: `ndim` is 3, but the shape has 2 dimensions
#  --> type-ndim.py:6:46
#   |
# 6 | def main(x: R.Tensor((4, 4), "float32", ndim=3)):
#   |                                              ^
#   |
# help: leave `ndim` out, or say 2
#   |
# 6 | def main(x: R.Tensor((4, 4), "float32", ndim=2)):
#   |                                              ~
#
