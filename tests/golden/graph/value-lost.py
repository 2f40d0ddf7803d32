# FAIL: check
# A tuple or a call as the last statement is what the function is to return; one of another type than it declares is not.
from tvm.script import relax as R


@R.function
def pair(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    (x, y)


@R.function
def bare(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    x, y


@R.function
def call(x: R.Tensor((4,), "float32")) -> R.Tensor((2, 2), "float32"):
    y = R.exp(x)
    R.reshape(y, (2, 2))


@R.function
def other(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    y = R.exp(x)
    R.sum(y)
# OUT:
# error[E0562]: `pair` returns nothing
#  --> value-lost.py:9:5
#   |
# 9 |     (x, y)
#   |     ^^^^^^ a value that is lost
#   |
# help: return it
#   |
# 9 |     return (x, y)
#   |     +++++++
#
# error[E0562]: `bare` returns nothing
#   --> value-lost.py:15:5
#    |
# 15 |     x, y
#    |     ^^^^ a value that is lost
#    |
# help: return it
#    |
# 15 |     return x, y
#    |     +++++++
#
# error[E0562]: `call` returns nothing
#   --> value-lost.py:21:5
#    |
# 21 |     R.reshape(y, (2, 2))
#    |     ^^^^^^^^^^^^^^^^^^^^ a value that is lost
#    |
# help: return it
#    |
# 21 |     return R.reshape(y, (2, 2))
#    |     +++++++
#
# error[E0566]: a value of type R.Tensor((), dtype="float32") is not bound to a name
#   --> value-lost.py:27:5
#    |
# 27 |     R.sum(y)
#    |     ^^^^^^^^
#    |
# help: bind it: `_ = ...`
#    |
# 27 |     _ = R.sum(y)
#    |     ++++
#
