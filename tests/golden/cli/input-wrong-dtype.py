# FAIL: run --in 'x=1x2xf64=1 2' --in k=1
# Inputs are not converted.
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
# error[E0708]: input `x` is float64, but the parameter is float32
#   --> input-wrong-dtype.py:11:14
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |              ^ parameter of `main`
#
