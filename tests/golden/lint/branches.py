# RUN: check
# A branch that cannot give what the function is declared to return.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 8), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((1, 9), "float32"):
        if c:
            if c:
                y = R.exp(x)
                s = y
            else:
                y = R.nn.pad(x, (0, 0, 0, 1))
                s = y
            r = s
        else:
            z = R.nn.pad(x, (0, 0, 1, 0))
            r = z
        return r
# OUT:
# warning[E0576]: this branch gives R.Tensor((1, 8), dtype="float32"), which `main` must not return
#   --> branches.py:12:17
#    |
#  9 |     def main(x: R.Tensor((1, 8), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((1, 9), "float32"):
#    |         ---- declared to return R.Tensor((1, 9), dtype="float32")
# ...
# 12 |                 y = R.exp(x)
#    |                 ^
#    |
#    = note: a run that takes this branch ends with an error
#
