# FAIL: opt -p 'UnrollLoop(all=yes)'
# The message says what the value is and what it should be.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
# OUT:
# error[E0909]: option `all` of pass `UnrollLoop` is `"yes"`, and must be `true` or `false`
#  --> <passes>:1:16
#   |
# 1 | UnrollLoop(all=yes)
#   |                ^^^
#   |
#   = help: its options: limit: int = 16, all: bool = false
#
