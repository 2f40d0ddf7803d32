# FAIL: opt -p 'BindParams(file="weights.npz", function=layer)'
# A function that the module calls keeps its parameters.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def layer(w: R.Tensor((2, 3), "float32"), b: R.Tensor((3,), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.add(w, b)
        return y

    @R.function
    def main(w: R.Tensor((2, 3), "float32"), b: R.Tensor((3,), "float32")):
        y = Module.layer(w, b)
        return y
# OUT:
# error[E0928]: parameters of `layer` cannot be bound: the module calls it
#   --> bind-params-called.py:10:9
#    |
# 10 |     def layer(w: R.Tensor((2, 3), "float32"), b: R.Tensor((3,), "float32")) -> R.Tensor((2, 3), "float32"):
#    |         ^^^^^
#
