# FAIL: check
# A statement follows return.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return x
    y = R.add(x, x)
# OUT:
# error[E0563]: nothing can follow `return`
#  --> after-return.py:8:5
#   |
# 7 |     return x
#   |     -------- returned here
# 8 |     y = R.add(x, x)
#   |     ^^^^^^^^^^^^^^^
#
