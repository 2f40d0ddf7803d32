# FAIL: opt -p 'UnrollLoop(limit=-1)'
# Sizes and counts are 0 or more.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
# OUT:
# error[E0909]: option `limit` of pass `UnrollLoop` is `-1`, and must be 0 or more
#  --> <passes>:1:18
#   |
# 1 | UnrollLoop(limit=-1)
#   |                  ^^
#   |
#   = help: its options: limit: int = 16, all: bool = false
#
