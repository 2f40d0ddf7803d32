# RUN: check
# No call asks for `x`, but `y` may be made in it without being asked: no warning.  Nothing is of the type of `z`.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), z: R.Tensor((5,), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1]})
        y = R.exp(x)
        s = R.sum(z)
        return (y, s)
# OUT:
# warning[E0320]: donated parameter `z` is never updated in place
#   --> donation-found.py:10:44
#    |
# 10 |     def main(x: R.Tensor((4,), "float32"), z: R.Tensor((5,), "float32")):
#    |                                            ^
#    |
#    = note: no in-place call of `main` updates its storage, and none makes a tensor of its type
#    = help: `inlay why` says what stands against each call; if none should, do not donate the parameter
#
