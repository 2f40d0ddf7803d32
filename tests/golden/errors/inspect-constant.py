# FAIL: run
# A constant that stands in a call of what is not compiled: an error, also behind the passes for memory.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), "float32")):
        return R.inspect.tensor_stride_i(R.const(True, "bool"), 0)
# OUT:
# error[E0684]: `R.inspect.tensor_stride_i` cannot be compiled: its axis must be a literal below the rank
#   --> inspect-constant.py:10:16
#    |
# 10 |         return R.inspect.tensor_stride_i(R.const(True, "bool"), 0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
