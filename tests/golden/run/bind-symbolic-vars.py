# RUN: run --check -p 'BindSymbolicVars(dims="n=4", function=layer),default' --in x=4xf32=1,2,3,4
# The size that was bound: three times x.
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
# result: (4,) float32
# [ 3.  6.  9. 12.]
