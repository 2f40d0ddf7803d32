# FAIL: check
# A statement that Relax functions do not have.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    x += x
    return x
# OUT:
# error[E0565]: an assignment with an operator is no statement of a Relax function
#  --> statement-refused.py:7:5
#   |
# 7 |     x += x
#   |     ^^^^^^
#   |
# help: write it out: `x = x + y`
#   |
# 7 |     x = x + x
#   |       ~~~~~
#
