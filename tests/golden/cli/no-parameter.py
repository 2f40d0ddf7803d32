# FAIL: run --in z=ones --dim n=2
# An unknown input is answered with the parameters.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
        y = R.exp(x)
        return y
# OUT:
# error[E0706]: `main` has no parameter `z`
#   --> no-parameter.py:11:9
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |         ^^^^
#    |
#    = note: it takes `x`, `k`
#
