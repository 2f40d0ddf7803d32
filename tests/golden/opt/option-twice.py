# FAIL: opt -p 'UnrollLoop(limit=4, limit=8)'
# An option that is given twice is a mistake, not the last one.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
# OUT:
# error[E0902]: cannot read the pipeline: this option is given twice
#  --> <passes>:1:21
#   |
# 1 | UnrollLoop(limit=4, limit=8)
#   |                     ^
#
