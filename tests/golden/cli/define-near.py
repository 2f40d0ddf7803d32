# FAIL: run --define SIDES=3
# A constant of nearly that name is marked.
from tvm.script import relax as R

SIDE = 2


@R.function
def main(x: R.Tensor((SIDE,), "float32")):
    return x
# OUT:
# error[E0158]: the file has no constant `SIDES` in front of its module
#  --> define-near.py:5:8
#   |
# 5 | SIDE = 2
#   |        ^
#   |
#   = help: there is `SIDE`: --define=SIDE=3
#
