# FAIL: check
# What is provably wrong names the operator, the operand and both shapes, all in one run.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((2, 3), dtype="float32"),
        y: R.Tensor((4,), dtype="float32"),
        i: R.Tensor((2, 3), dtype="int32"),
    ) -> R.Tensor((2, 3), dtype="float32"):
        a = R.add(x, y)
        b = R.multiply(x, i)
        c = R.exp(i)
        d = R.sum(x, axis=2)
        e = R.reshape(x, R.shape([4, 2]))
        f = R.matmul(x, x)
        g = R.concat((x, R.permute_dims(x)), axis=0)
        h = R.add(x, R.shape([2, 3]))
        return x
# OUT:
# error[E0603]: `R.add`: `x1` of shape (2, 3) and `x2` of shape (4,) do not broadcast
#   --> type-errors.py:14:13
#    |
# 10 |         x: R.Tensor((2, 3), dtype="float32"),
#    |         - shape (2, 3)
# 11 |         y: R.Tensor((4,), dtype="float32"),
#    |         - shape (4,)
# ...
# 14 |         a = R.add(x, y)
#    |             ^^^^^^^^^^^
#    |
#    = note: from the last dimension on, each two must be equal, or one of them 1
#
# error[E0604]: `R.multiply`: `x1` is float32, but `x2` is int32
#   --> type-errors.py:15:27
#    |
# 15 |         b = R.multiply(x, i)
#    |                           ^
#    |
# help: convert one of them: `R.astype(.., "float32")`
#    |
# 15 |         b = R.multiply(x, R.astype(i, "float32"))
#    |                           ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0605]: `R.exp` is not defined for int32
#   --> type-errors.py:16:19
#    |
# 12 |         i: R.Tensor((2, 3), dtype="int32"),
#    |         - this is R.Tensor((2, 3), dtype="int32")
# ...
# 16 |         c = R.exp(i)
#    |                   ^
#    |
# help: convert it first: `R.astype(.., "float32")`
#    |
# 16 |         c = R.exp(R.astype(i, "float32"))
#    |                   ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0606]: `R.sum`: axis 2 does not exist in a tensor of rank 2
#   --> type-errors.py:17:27
#    |
# 17 |         d = R.sum(x, axis=2)
#    |                           ^
#    |
# help: its axes are 0 to 1, or -2 to -1
#    |
# 17 |         d = R.sum(x, axis=1)
#    |                           ~
#
# error[E0608]: `R.reshape`: a tensor of shape (2, 3) cannot become one of shape (4, 2)
#   --> type-errors.py:18:26
#    |
# 18 |         e = R.reshape(x, R.shape([4, 2]))
#    |                          ^^^^^^^^^^^^^^^
#    |
#    = note: the first has 6 elements, the second 8
#
# error[E0610]: `R.matmul`: dimension 1 of `x1` is 3, but dimension 0 of `x2` is 2
#   --> type-errors.py:19:13
#    |
# 19 |         f = R.matmul(x, x)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: the shapes are (2, 3) and (2, 3)
#
# error[E0610]: `R.concat`: dimension 1 of `tensors[0]` is 3, but dimension 1 of `tensors[1]` is 2
#   --> type-errors.py:20:26
#    |
# 20 |         g = R.concat((x, R.permute_dims(x)), axis=0)
#    |                          ^^^^^^^^^^^^^^^^^
#
# error[E0601]: `R.add`: operand `x2` must be a tensor, not R.Shape([2, 3])
#   --> type-errors.py:21:22
#    |
# 21 |         h = R.add(x, R.shape([2, 3]))
#    |                      ^^^^^^^^^^^^^^^
#    |                      |
#    |                      this is R.Shape([2, 3])
#
