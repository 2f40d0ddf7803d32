# FAIL: check
# An operand of a wrong dtype: where what makes it says the dtype.
from tvm.script import relax as R


@R.function
def index(x: R.Tensor((4,), "float32")):
    t = R.topk(x, k=2, dtype="float32")
    values = t[0]
    y = R.take(values, t[1])
    return y


@R.function
def two(x: R.Tensor((4,), "float32")):
    w = R.zeros((4,), "float16")
    v = w
    y = R.add(x, v)
    return y
# OUT:
# error[E0601]: `R.take`: operand `indices` must be a tensor of integers, not of float32
#   --> dtype-said.py:10:24
#    |
#  8 |     t = R.topk(x, k=2, dtype="float32")
#    |                              --------- this says the dtype
#  9 |     values = t[0]
# 10 |     y = R.take(values, t[1])
#    |                        ^^^^
#    |
# help: convert it: `R.astype(.., "int64")`
#    |
# 10 |     y = R.take(values, R.astype(t[1], "int64"))
#    |                        ~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0604]: `R.add`: `x1` is float32, but `x2` is float16
#   --> dtype-said.py:18:18
#    |
# 16 |     w = R.zeros((4,), "float16")
#    |                       --------- this says the dtype
# 17 |     v = w
# 18 |     y = R.add(x, v)
#    |                  ^
#    |
# help: convert one of them: `R.astype(.., "float32")`
#    |
# 18 |     y = R.add(x, R.astype(v, "float32"))
#    |                  ~~~~~~~~~~~~~~~~~~~~~~
#
