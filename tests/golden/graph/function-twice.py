# FAIL: check
# Two functions of one name.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(y: R.Tensor((8,), "float32")):
        return y
# OUT:
# error[E0550]: function `main` is defined twice
#   --> function-twice.py:13:9
#    |
#  9 |     def main(x: R.Tensor((4,), "float32")):
#    |         ---- first here
# ...
# 13 |     def main(y: R.Tensor((8,), "float32")):
#    |         ^^^^
#
