# FAIL: check
# Something that is no value stands where a value is needed.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return R.add(x, Module)
# OUT:
# error[E0257]: the module is no value
#   --> not-a-value.py:10:25
#    |
# 10 |         return R.add(x, Module)
#    |                         ^^^^^^
#
