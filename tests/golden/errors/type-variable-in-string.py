# FAIL: check
# A string of a shape may speak of a type variable of the file; that alone gives the symbol no value.
from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R

n = TypeVar("n")
m = TypeVar("m")


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n + 1", 32), "float32"), y: R.Tensor(("m * 2", m), "float32")):
        z = R.match_cast(x, R.Tensor(("m + 1", 32), "float32"))
        return z
# OUT:
# error[E0503]: symbol `n` has no value here
#   --> type-variable-in-string.py:15:14
#    |
# 15 |     def main(x: R.Tensor(("n + 1", 32), "float32"), y: R.Tensor(("m * 2", m), "float32")):
#    |         ---- ^
#    |         |
#    |         declared here, which gives it no value
#    |
#    = help: let a parameter have `n` as a dimension, or bind it before: `R.match_cast(x, R.Tensor((n,)))`
#
