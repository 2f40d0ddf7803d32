# FAIL: run -p 'BindSymbolicVars(dims="n=5"),default' --in x=4xf32=1,2,3,4
# The input has another size than the one that a pass binds.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.add(x, x)
        return y
# OUT:
# error[E0711]: `n` is 5 by BindSymbolicVars, but 4 by input `x`
#   --> bind-symbolic-vars-conflict.py:10:14
#    |
# 10 |     def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
#    |              ^ 4 here
#
