# FAIL: check
# A function returns nothing.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.add(x, x)
# OUT:
# error[E0562]: `main` returns nothing
#  --> return-missing.py:6:5
#   |
# 6 | def main(x: R.Tensor((2, 3), "float32")):
#   |     ^^^^
#   |
# help: return what it makes: `return y`
#   |
# 7 |     y = R.add(x, x)
# 8 |     return y
#   | ++++++++++++
#
