# FAIL: check
# An annotation contradicts the type of the expression.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y: R.Tensor((2, 4), "float32") = R.add(x, x)
    return y
# OUT:
# error[E0253]: annotation says R.Tensor((2, 4), dtype="float32"), the expression is R.Tensor((2, 3), dtype="float32")
#  --> annotation-contradicts.py:7:8
#   |
# 7 |     y: R.Tensor((2, 4), "float32") = R.add(x, x)
#   |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^   ----------- this is R.Tensor((2, 3), dtype="float32")
#   |
# help: leave the annotation out, or say what it is
#   |
# 7 |     y: R.Tensor((2, 3), "float32") = R.add(x, x)
#   |                     ~
#
