# FAIL: run --in x=3x2:ones --in k=1.5
# A scalar is a number of its dtype.
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
# error[E0707]: input `k`: cannot read `1.5`: it is no int64
#   --> input-wrong-scalar.py:11:48
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |                                                ^ parameter of `main`
#
