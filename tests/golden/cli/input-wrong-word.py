# FAIL: run --in x=rubbish --in k=1
# A spec is one of its forms.
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
# error[E0707]: input `x`: cannot read `rubbish`: it is no @FILE, random, zeros, ones, iota, number, true, false or 2x3xf32=1 2 ..
#   --> input-wrong-word.py:11:14
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |              ^ parameter of `main`
#
