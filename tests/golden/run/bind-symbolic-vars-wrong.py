# FAIL: run -p 'BindSymbolicVars(dims="n=5", function=layer),default' --in x=4xf32=1,2,3,4
# Another size than the one that was bound: found when it runs.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def layer(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        y = Module.layer(x)
        z = R.add(y, x)
        return z
# OUT:
# error[E0801]: argument 1 (`x`) of `layer` should have the shape (5,), but has (4,)
#   --> bind-symbolic-vars-wrong.py:10:5
#    |
# 10 |     def layer(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
#    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
