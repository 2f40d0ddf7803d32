# FAIL: check
# The global_symbol of a public function is its name.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"global_symbol": "start"})
        return x

    @R.function
    def same(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"global_symbol": "same"})
        return x
# OUT:
# error[E0502]: function `main` has the global_symbol `start`
#   --> symbol-name.py:10:9
#    |
# 10 |     def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#    |         ^^^^
#    |
#    = help: leave `global_symbol` out: it is the name of the function
#
