# FAIL: check
# What works with a tensor of unknown rank, and has no loops, is refused by code generation; what passes it on is not.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(dtype="float32"), y: R.Tensor((2, 2))):
        count = R.size(x)
        flat = R.flatten(x)
        row = R.copy(y)
        return (count, flat, row, x)
# OUT:
# error[E0685]: `x` cannot be compiled: its rank is not known
#   --> open-rank.py:10:24
#    |
# 10 |         count = R.size(x)
#    |                        ^ this is R.Tensor(dtype="float32")
#    |
#    = help: say it first: `R.match_cast(.., R.Tensor((n, m), "float32"))`
#
# error[E0685]: `x` cannot be compiled: its rank is not known
#   --> open-rank.py:11:26
#    |
# 11 |         flat = R.flatten(x)
#    |                          ^ this is R.Tensor(dtype="float32")
#    |
#    = help: say it first: `R.match_cast(.., R.Tensor((n, m), "float32"))`
#
# error[E0685]: `y` cannot be compiled: its dtype is not known
#   --> open-rank.py:12:22
#    |
# 12 |         row = R.copy(y)
#    |                      ^ this is R.Tensor((2, 2))
#    |
#    = help: say it first: `R.match_cast(.., R.Tensor((n, m), "float32"))`
#
