# FAIL: opt -p default
# Operators take tensors of scalars: with elements of several lanes neither loops nor the interpreter know what is meant.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32x4"), y: R.Tensor((2,), "float32")):
        a = R.astype(x, "float32")
        b = R.argmax(x)
        c = R.reshape(x, (1, 2))
        d = R.full((2,), R.const(1, "float32"), "float32x4")
        return (a, b, c, d)
# OUT:
# error[E0622]: `R.astype` cannot be compiled for float32x4
#   --> vector-elements.py:11:22
#    |
# 11 |         a = R.astype(x, "float32")
#    |                      ^ this is R.Tensor((2,), dtype="float32x4")
#    |
#    = help: an operator takes tensors of scalars: make the 4 lanes a dimension
#
# error[E0622]: `R.argmax` cannot be compiled for float32x4
#   --> vector-elements.py:12:22
#    |
# 12 |         b = R.argmax(x)
#    |                      ^ this is R.Tensor((2,), dtype="float32x4")
#    |
#    = help: an operator takes tensors of scalars: make the 4 lanes a dimension
#
# error[E0622]: `R.full` cannot be compiled for float32x4
#   --> vector-elements.py:14:13
#    |
# 14 |         d = R.full((2,), R.const(1, "float32"), "float32x4")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: an operator takes tensors of scalars: make the 4 lanes a dimension
#
