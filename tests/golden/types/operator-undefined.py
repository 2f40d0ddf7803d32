# FAIL: check
# An operator has no meaning on Relax values.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return x == x
# OUT:
# error[E0258]: operator `==` has no meaning on Relax values
#  --> operator-undefined.py:7:12
#   |
# 7 |     return x == x
#   |            ^^^^^^
#   |
# help: write R.equal(a, b)
#   |
# 7 |     return R.equal(x, x)
#   |            ~~~~~~~~~~~~~
#
