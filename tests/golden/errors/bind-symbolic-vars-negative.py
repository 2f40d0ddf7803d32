# FAIL: opt -p 'BindSymbolicVars(dims="n=-1")'
# No size.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.add(x, x)
        return y
# OUT:
# error[E0924]: cannot read `n=-1` in `dims`: a dimension is 0 or more and fits into 64 bits
#  --> <passes>:1:1
#   |
# 1 | BindSymbolicVars(dims="n=-1")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: write `dims="n=4,m=8"`, or `--dim n=4 --dim m=8` on the command line
#
