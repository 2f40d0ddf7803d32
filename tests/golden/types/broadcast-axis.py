# FAIL: check
# R.expand_dims at the wrong axis, where one axis alone fits; a constant of floats beside integers.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def axis(x: R.Tensor((4, 2), "float32"), n: R.Tensor((4,), "float32")):
        y = R.divide(x, R.expand_dims(n, axis=[0]))
        return y

    @R.function
    def several(x: R.Tensor((2, 4, 4), "float32"), n: R.Tensor((4, 4), "float32")):
        y = R.divide(x, R.expand_dims(R.sum(x, axis=[0]), axis=[0]))
        z = R.add(R.expand_dims(R.sum(x, axis=[1, 2]), axis=[0]), x)
        return (y, z)

    @R.function
    def quotient(image: R.Tensor((4,), "uint8")):
        y = R.divide(image, R.const(255.0, "float32"))
        return y

    @R.function
    def largest(counts: R.Tensor((4,), "int32")):
        y = R.maximum(counts, R.const(1.0, "float32"))
        return y

    @R.function
    def unsaid(x: R.Tensor((4,), "float32")):
        y = R.maximum(x, R.const(1))
        return y

    @R.function
    def elements(x: R.Tensor(("n", 3, 4), "float32")) -> R.Tensor(("n", 12), "float32"):
        n = T.int64()
        y = R.reshape(x, (n, 16))
        return y
# OUT:
# error[E0603]: `R.divide`: `x1` of shape (4, 2) and `x2` of shape (1, 4) do not broadcast
#   --> broadcast-axis.py:10:13
#    |
#  9 |     def axis(x: R.Tensor((4, 2), "float32"), n: R.Tensor((4,), "float32")):
#    |              - shape (4, 2)
# 10 |         y = R.divide(x, R.expand_dims(n, axis=[0]))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                         |
#    |                         shape (1, 4)
#    |
#    = note: from the last dimension on, each two must be equal, or one of them 1
# help: `x2` fits with the axis of 1 at 1
#    |
# 10 |         y = R.divide(x, R.expand_dims(n, axis=[1]))
#    |                                                ~
#
# error[E0603]: `R.add`: `x1` of shape (1, 2) and `x2` of shape (2, 4, 4) do not broadcast
#   --> broadcast-axis.py:16:13
#    |
# 14 |     def several(x: R.Tensor((2, 4, 4), "float32"), n: R.Tensor((4, 4), "float32")):
#    |                 - shape (2, 4, 4)
# 15 |         y = R.divide(x, R.expand_dims(R.sum(x, axis=[0]), axis=[0]))
# 16 |         z = R.add(R.expand_dims(R.sum(x, axis=[1, 2]), axis=[0]), x)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                   |
#    |                   shape (1, 2)
#    |
#    = note: from the last dimension on, each two must be equal, or one of them 1
#
# error[E0604]: `R.divide`: `x1` is uint8, but `x2` is float32
#   --> broadcast-axis.py:21:29
#    |
# 21 |         y = R.divide(image, R.const(255.0, "float32"))
#    |                      -----  ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                      |
#    |                      this is R.Tensor((4,), dtype="uint8")
#    |
# help: convert the tensor: `R.astype(.., "float32")`
#    |
# 21 |         y = R.divide(R.astype(image, "float32"), R.const(255.0, "float32"))
#    |                      ~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0604]: `R.maximum`: `x1` is int32, but `x2` is float32
#   --> broadcast-axis.py:26:31
#    |
# 26 |         y = R.maximum(counts, R.const(1.0, "float32"))
#    |                       ------  ^^^^^^^^^^^^^^^^^^^^^^^
#    |                       |
#    |                       this is R.Tensor((4,), dtype="int32")
#    |
# help: convert the tensor: `R.astype(.., "float32")`
#    |
# 26 |         y = R.maximum(R.astype(counts, "float32"), R.const(1.0, "float32"))
#    |                       ~~~~~~~~~~~~~~~~~~~~~~~~~~~
# help: let the constant be int32
#    |
# 26 |         y = R.maximum(counts, R.const(1.0, "int32"))
#    |                                             ~~
#
# error[E0604]: `R.maximum`: `x1` is float32, but `x2` is int32
#   --> broadcast-axis.py:31:26
#    |
# 31 |         y = R.maximum(x, R.const(1))
#    |                          ^^^^^^^^^^
#    |
# help: let the constant be float32
#    |
# 31 |         y = R.maximum(x, R.const(1, "float32"))
#    |                                   +++++++++++
#
# error[E0608]: `R.reshape`: a tensor of shape (n, 3, 4) cannot become one of shape (n, 16)
#   --> broadcast-axis.py:37:26
#    |
# 37 |         y = R.reshape(x, (n, 16))
#    |                          ^^^^^^^
#    |
#    = note: they have as many elements only where `n` is 0
# help: with 12 there are as many elements
#    |
# 37 |         y = R.reshape(x, (n, 12))
#    |                               ~
#
