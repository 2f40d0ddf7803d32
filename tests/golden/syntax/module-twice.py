# FAIL: check
# A second module in one file.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class First:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

@I.ir_module
class Second:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# OUT:
# error[E0152]: a second module `Second` in one file
#   --> module-twice.py:13:7
#    |
#  7 | class First:
#    |       ----- the first one
# ...
# 13 | class Second:
#    |       ^^^^^^
#
