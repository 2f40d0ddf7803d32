# FAIL: opt -p BindSymbolicVars
# Neither the option nor --dim names a symbol.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        y = R.add(x, x)
        return y
# OUT:
# error[E0924]: cannot read `` in `dims`: no symbol is named
#  --> <passes>:1:1
#   |
# 1 | BindSymbolicVars
#   | ^^^^^^^^^^^^^^^^
#   |
#   = help: write `dims="n=4,m=8"`, or `--dim n=4 --dim m=8` on the command line
#
