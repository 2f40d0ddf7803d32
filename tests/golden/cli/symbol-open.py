# FAIL: run
# Open symbols are listed, with how to close them.
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
# error[E0710]: the inputs leave the size of `n` open
#   --> symbol-open.py:11:9
#    |
# 11 |     def main(x: R.Tensor(("n", 2), "float32"), k: T.int64) -> R.Tensor(("n", 2), "float32"):
#    |         ^^^^
#    |
#    = help: give each a size, as in --dim n=8, or give an input that has it
#
