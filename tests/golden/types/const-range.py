# FAIL: check
# A number does not fit the dtype of its constant.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "uint8")):
    return R.add(x, R.const(300, "uint8"))
# OUT:
# error[E0263]: `300` does not fit into uint8
#  --> const-range.py:7:29
#   |
# 7 |     return R.add(x, R.const(300, "uint8"))
#   |                             ^^^
#
