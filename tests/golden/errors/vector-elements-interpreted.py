# FAIL: run --interpret
# As vector-elements.py.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.astype(x, "float32x4")
        return R.add(y, y)
# OUT:
# error[E0820]: the interpreter does not support tensors of dtype float32x4
#   --> vector-elements-interpreted.py:11:13
#    |
# 11 |         y = R.astype(x, "float32x4")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^
#
