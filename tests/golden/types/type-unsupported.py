# FAIL: check
# A type is not supported.
from tvm.script import relax as R

@R.function
def main(x: R.DTensor((4,), "float32")):
    return x
# OUT:
# error[E0255]: `R.DTensor` is not supported
#  --> type-unsupported.py:6:13
#   |
# 6 | def main(x: R.DTensor((4,), "float32")):
#   |             ^^^^^^^^^^^^^^^^^^^^^^^^^^
#
