# FAIL: opt -p LegalizeOps
# An operand that cannot be compiled is marked where the call has it.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n", "k"), "float32"), z: R.Tensor(("m", 8), "float32")):
    y = R.matmul(x, z)
    return y
# OUT:
# error[E0623]: `R.matmul` cannot be compiled: `x2` has m for a dimension that is not known to be that of the first operand, k
#  --> lower-operand-place.py:8:21
#   |
# 8 |     y = R.matmul(x, z)
#   |                     ^
#   |
#   = help: say that they are equal: `R.match_cast(..)` with one symbol for both
#
