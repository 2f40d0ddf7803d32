# FAIL: check
# A function returns another type than it declares.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "int32"):
    return x
# OUT:
# error[E0254]: `main` returns R.Tensor((4,), dtype="float32"), but its annotation says R.Tensor((4,), dtype="int32")
#  --> return-contradicts.py:7:5
#   |
# 6 | def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "int32"):
#   |                                           ----------------------- declared here
# 7 |     return x
#   |     ^^^^^^^^
#   |
# help: convert what it returns
#   |
# 7 |     return R.astype(x, "int32")
#   |            ~~~~~~~~~~~~~~~~~~~~
# help: declare what it returns, or leave the annotation out
#   |
# 6 | def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#   |                                                           ~~~~
#
