# FAIL: run --in 'x=1x2xf32=1 2 3' --in k=1
# There are as many elements as the shape says.
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
# error[E0707]: input `x`: cannot read `1x2xf32=1 2 3`: 1x2 is a shape of 2 elements, and 3 are given
#   --> input-wrong-count.py:11:14
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |              ^ parameter of `main`
#
