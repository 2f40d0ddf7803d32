# FAIL: check
# Unpacking into a wrong number of names.
from tvm.script import relax as R

@R.function
def main(t: R.Tuple(R.Tensor, R.Tensor, R.Tensor)):
    a, b = t
    return a
# OUT:
# error[E0260]: 2 names for 3 values
#  --> unpack-count.py:7:5
#   |
# 7 |     a, b = t
#   |     ^^^^
#   |
# help: there are 3 parts
#   |
# 7 |     a, b, _ = t
#   |         +++
#
