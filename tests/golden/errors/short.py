# FAIL: check --diagnostics=short
# One line a message.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 4), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        z = R.add(x, y)
        return z
# OUT:
# short.py:12:13: error[E0603]: `R.add`: `x1` of shape (2, 3) and `x2` of shape (2, 4) do not broadcast
