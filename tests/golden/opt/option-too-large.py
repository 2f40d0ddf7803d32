# FAIL: opt -p 'UnrollLoop(limit=99999999999999999999)'
# What does not fit into 64 bits is no number.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
# OUT:
# error[E0909]: option `limit` of pass `UnrollLoop` is `"99999999999999999999"`, and must be an integer
#  --> <passes>:1:18
#   |
# 1 | UnrollLoop(limit=99999999999999999999)
#   |                  ^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: its options: limit: int = 16, all: bool = false
#
