# FAIL: check
# What leads to an error is told in front of it: a reshape that fits for no rows alone, an axis that stays, a norm along another axis, a row without its axis.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def reshape(x: R.Tensor(("b", "s", 32), "float32"), w: R.Tensor((32, 32), "float32")):
        y = R.reshape(x, (b, s, 33))
        z = R.matmul(y, w)
        return z

    @R.function
    def squeeze(x: R.Tensor((2, 16, 1, 1), "float32"), w: R.Tensor((16, 10), "float32")):
        y = R.squeeze(x, axis=[1, 2])
        z = R.matmul(y, w)
        return z

    @R.function
    def take(x: R.Tensor((2, 16), "float32"), w: R.Tensor((16, 10), "float32"), i: R.Tensor((), "int64")):
        y = R.take(x, i)
        z = R.concat((y, w))
        u = R.take(R.reshape(x, (-1,)), i)
        v = R.take(x, i)  # inlay: allow(E0615)
        return z

    # behind the error: nothing is said of what may follow from it
    @R.function
    def behind(x: R.Tensor((2, "n"), "float32"), w: R.Tensor((16, 10), "float32")):
        y = R.matmul(w, w)
        z = R.reshape(x, (2, 5))
        return z
# OUT:
# warning[E0516]: `R.reshape` of (b, s, 32) to (b, s, 33) fits only where `b` or `s` is 0
#   --> beside-errors.py:11:26
#    |
# 11 |         y = R.reshape(x, (b, s, 33))
#    |                          ^^^^^^^^^^
#    |
#    = note: a run with another size ends with an error
# help: with 32 there are as many elements
#    |
# 11 |         y = R.reshape(x, (b, s, 32))
#    |                                  ~
#
# error[E0610]: `R.matmul`: dimension 2 of `x1` is 33, but dimension 0 of `x2` is 32
#   --> beside-errors.py:12:13
#    |
# 12 |         z = R.matmul(y, w)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: the shapes are (b, s, 33) and (32, 32)
#
# warning[E0613]: `R.squeeze`: axis 1 has extent 16, and stays
#   --> beside-errors.py:17:32
#    |
# 17 |         y = R.squeeze(x, axis=[1, 2])
#    |                                ^
#    |
#    = note: the tensor is R.Tensor((2, 16, 1, 1), dtype="float32")
# help: the axes of extent 1 are 2, 3
#    |
# 17 |         y = R.squeeze(x, axis=[2, 3])
#    |                                ~~~~
#
# error[E0610]: `R.matmul`: dimension 2 of `x1` is 1, but dimension 0 of `x2` is 16
#   --> beside-errors.py:18:13
#    |
# 18 |         z = R.matmul(y, w)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: the shapes are (2, 16, 1) and (16, 10)
#
# warning[E0615]: `R.take` without `axis` reads `x` as a vector, and it has rank 2
#   --> beside-errors.py:23:13
#    |
# 23 |         y = R.take(x, i)
#    |             ^^^^^^^^^^^^
#    |
#    = note: TVM refuses that: R.reshape(x, (-1,)) says it
# help: rows are taken along the first axis
#    |
# 23 |         y = R.take(x, i, axis=0)
#    |                        ++++++++
#
# error[E0602]: `R.concat`: `tensors[1]` must have rank 0, as the others, and its shape is (16, 10)
#   --> beside-errors.py:24:26
#    |
# 24 |         z = R.concat((y, w))
#    |                          ^
#
# error[E0610]: `R.matmul`: dimension 1 of `x1` is 10, but dimension 0 of `x2` is 16
#   --> beside-errors.py:32:13
#    |
# 32 |         y = R.matmul(w, w)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: the shapes are (16, 10) and (16, 10)
#
