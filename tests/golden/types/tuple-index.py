# FAIL: check
# The index of a tuple is no literal number.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(t: R.Tuple(R.Tensor, R.Tensor), n: T.int64):
    return t[n]
# OUT:
# error[E0259]: the index of a tuple must be a literal number
#  --> tuple-index.py:8:12
#   |
# 8 |     return t[n]
#   |            ^^^^
#
