# FAIL: run --in x=4x3:ones --in k=1
# A fixed extent is what the script says.
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
# error[E0709]: input `x` has shape (4, 3), but the parameter is R.Tensor((n, 2), dtype="float32")
#   --> input-wrong-extent.py:11:14
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |              ^ parameter of `main`
#
