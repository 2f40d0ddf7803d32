# FAIL: check --define Q=3
# Only constants of the file can be given other values.
from tvm.script import relax as R

N = 2


@R.function
def main(x: R.Tensor((N,), "float32")):
    return x
# OUT:
# error[E0158]: the file has no constant `Q` in front of its module
#  --> define-unknown.py:1:1
#   |
# 1 | # FAIL: check --define Q=3
#   | ^
#   |
#   = help: write `Q = 3` in front of the module, and use the name in it
#
