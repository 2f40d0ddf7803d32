# FAIL: opt -p 'BindSymbolicVars(dims="n=4,q=2")'
# A name that no function has.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.add(x, x)
        return y
# OUT:
# error[E0925]: the module has no symbolic dimension `q`
#  --> <passes>:1:1
#   |
# 1 | BindSymbolicVars(dims="n=4,q=2")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
