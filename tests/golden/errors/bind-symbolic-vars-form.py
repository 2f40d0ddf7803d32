# FAIL: opt -p 'BindSymbolicVars(dims="n")'
# No number.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.add(x, x)
        return y
# OUT:
# error[E0924]: cannot read `n` in `dims`: a name, `=` and a number are wanted
#  --> <passes>:1:1
#   |
# 1 | BindSymbolicVars(dims="n")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: write `dims="n=4,m=8"`, or `--dim n=4 --dim m=8` on the command line
#
