# FAIL: check
# Constants of a dtype that is not supported.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return R.const(1.0, "float8_e4m3fn")
# OUT:
# error[E0265]: constants of dtype float8_e4m3fn are not supported
#  --> const-dtype.py:7:20
#   |
# 7 |     return R.const(1.0, "float8_e4m3fn")
#   |                    ^^^
#
