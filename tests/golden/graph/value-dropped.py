# FAIL: check
# The value of a statement is not bound.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    R.add(x, x)
    return x
# OUT:
# error[E0566]: a value of type R.Tensor((2, 3), dtype="float32") is not bound to a name
#  --> value-dropped.py:7:5
#   |
# 7 |     R.add(x, x)
#   |     ^^^^^^^^^^^
#   |
# help: bind it: `_ = ...`
#   |
# 7 |     _ = R.add(x, x)
#   |     ++++
#
