# FAIL: opt -p 'BindParams(file="weights.npz")'
# A tensor of the file that is no parameter.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor((2, 3), "float32")):
        return x
# OUT:
# error[E0922]: `main` has no parameter for `b` of `weights.npz`
#   --> bind-params-name.py:10:9
#    |
# 10 |     def main(x: R.Tensor((4,), "float32"), w: R.Tensor((2, 3), "float32")):
#    |         ^^^^
#    |
#    = note: it takes `x`, `w`
#
