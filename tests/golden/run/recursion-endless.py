# FAIL: run --in x=1xf32=1
# A recursion that does not end is an error.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), "float32")) -> R.Tensor((1,), "float32"):
        cls = Module
        y = cls.main(x)
        return y
# OUT:
# error[E0807]: nested calls use up the stack of the thread; does the recursion end?
#   --> recursion-endless.py:10:5
#    |
# 10 |     def main(x: R.Tensor((1,), "float32")) -> R.Tensor((1,), "float32"):
#    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
