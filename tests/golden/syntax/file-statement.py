# FAIL: check
# A statement has no meaning in a file or module.
from tvm.script import relax as R

size = len("four")

@R.function
def main(x: R.Tensor((4,), "float32")):
    return x
# OUT:
# error[E0151]: this assignment has no meaning in a file
#  --> file-statement.py:5:1
#   |
# 5 | size = len("four")
#   | ^^^^^^^^^^^^^^^^^^
#   |
#   = help: a constant is a number, a string, True, False, None, a tuple of them, or arithmetic on numbers and constants before it
#
