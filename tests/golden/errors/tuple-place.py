# FAIL: check
# The index is underlined, not what it is an index of.
from tvm.script import relax as R


@R.function
def part(x: R.Tensor((4,), "float32")):
    t = (x, x)
    return t[2]
# OUT:
# error[E0231]: index 2 is not in a tuple of 2
#  --> tuple-place.py:9:14
#   |
# 9 |     return t[2]
#   |              ^
#   |
# help: its parts are 0 to 1
#   |
# 9 |     return t[1]
#   |              ~
#
