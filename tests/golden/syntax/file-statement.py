# FAIL: check
# A statement has no meaning in a file or module.
from tvm.script import relax as R

size = 4

@R.function
def main(x: R.Tensor((4,), "float32")):
    return x
# OUT:
# error[E0151]: this assignment has no meaning in a file
#  --> file-statement.py:5:1
#   |
# 5 | size = 4
#   | ^^^^^^^^
#
