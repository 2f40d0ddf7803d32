# FAIL: run --in x=3xf32=1,2,3
# A packed function that nobody gave.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((3,), "float32")):
        y = R.call_packed("my.function", x, ty_args=R.Tensor((3,), "float32"))
        return y
# OUT:
# error[E0805]: there is no packed function `my.function`; libraries are given with --load
#   --> packed-missing.py:11:9
#    |
# 11 |         y = R.call_packed("my.function", x, ty_args=R.Tensor((3,), "float32"))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
