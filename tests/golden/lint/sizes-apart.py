# RUN: check
# Dimensions that no size makes equal; an axis that is missing; a result that is a slice of what is declared.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def apart(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        a = R.strided_slice(x, axes=[0], begin=[0], end=[n])
        y = R.concat((x, R.zeros((1,), "float32")), axis=0)
        z = R.add(a, y)
        return z

    @R.function
    def axis(near: R.Tensor(("edges", 4), "float32"), weight: R.Tensor(("edges",), "float32")):
        y = R.multiply(near, weight)
        return y

    @R.function
    def slice(price: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        earlier = R.strided_slice(price, axes=[0], begin=[0], end=[-1])
        return earlier

    @R.function
    def reshaped(x: R.Tensor(("n", 12), "float32")):
        n = T.int64()
        y = R.reshape(x, (n, 16))
        return y
# OUT:
# warning[E0614]: `R.add`: dimension 0 of `x1` is n, and dimension 0 of `x2` is n + 1, which nothing says to be equal
#   --> sizes-apart.py:13:13
#    |
# 11 |         a = R.strided_slice(x, axes=[0], begin=[0], end=[n])
#    |             ------------------------------------------------ `a`
# 12 |         y = R.concat((x, R.zeros((1,), "float32")), axis=0)
#    |             ----------------------------------------------- `y`
# 13 |         z = R.add(a, y)
#    |             ^^^^^^^^^^^
#    |
#    = note: they differ by 1 for every size
#
# warning[E0614]: `R.multiply`: dimension 1 of `x1` is 4, and dimension 0 of `x2` is edges, which nothing says to be equal
#   --> sizes-apart.py:18:13
#    |
# 18 |         y = R.multiply(near, weight)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^
#    |                              |
#    |                              this is R.Tensor((edges,), dtype="float32")
#    |
# help: `x2` fits with an axis of 1 at 1
#    |
# 18 |         y = R.multiply(near, R.expand_dims(weight, axis=[1]))
#    |                              ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# warning[E0516]: what `slice` returns, R.Tensor((T.max(n - 1, 0),), dtype="float32"), is R.Tensor((n,), dtype="float32") only where `n` is 0
#   --> sizes-apart.py:24:9
#    |
# 22 |     def slice(price: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
#    |                                                                 - declared here
# 23 |         earlier = R.strided_slice(price, axes=[0], begin=[0], end=[-1])
# 24 |         return earlier
#    |         ^^^^^^^^^^^^^^
#    |
#    = note: a run with another size ends with an error
# help: declare what it returns
#    |
# 22 |     def slice(price: R.Tensor(("n",), "float32")) -> R.Tensor(("n - 1",), "float32"):
#    |                                                                  ++++
#
# warning[E0516]: `R.reshape` of (n, 12) to (n, 16) fits only where `n` is 0
#   --> sizes-apart.py:29:26
#    |
# 29 |         y = R.reshape(x, (n, 16))
#    |                          ^^^^^^^
#    |
#    = note: a run with another size ends with an error
# help: with 12 there are as many elements
#    |
# 29 |         y = R.reshape(x, (n, 12))
#    |                               ~
#
