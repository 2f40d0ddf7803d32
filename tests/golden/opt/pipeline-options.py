# FAIL: opt -p 'LegalizeOps(' 
# The text of a pipeline is checked before anything runs.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# error[E0902]: cannot read the pipeline: expected `key=value`
#  --> <passes>:1:13
#   |
# 1 | LegalizeOps(
#   |             ^
#
