# FAIL: check
# Two parameters of one name.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32")):
    return x
# OUT:
# error[E0551]: parameter `x` is given twice
#  --> param-twice.py:6:40
#   |
# 6 | def main(x: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32")):
#   |          -                             ^
#   |          |
#   |          first here
#
