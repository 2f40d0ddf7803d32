# FAIL: check
# There is no operator of that name.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.nn.rleu(x)
# OUT:
# error[E0650]: there is no operator `R.nn.rleu`
#  --> operator-unknown.py:7:12
#   |
# 7 |     return R.nn.rleu(x)
#   |            ^^^^^^^^^
#   |
# help: did you mean `R.nn.relu`?
#   |
# 7 |     return R.nn.relu(x)
#   |                  ~~
#
