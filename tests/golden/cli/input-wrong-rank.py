# FAIL: run --in x=2:ones --in k=1
# The rank is that of the parameter.
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
# error[E0709]: input `x` has shape (2,), but the parameter is R.Tensor((n, 2), dtype="float32")
#   --> input-wrong-rank.py:11:14
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |              ^ parameter of `main`
#
