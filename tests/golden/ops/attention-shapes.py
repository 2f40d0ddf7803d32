# FAIL: check
# What attention needs of its operands: equal batches, keys as many as values, heads that share others in whole groups.
from tvm.script import relax as R
from tvm.script import tirx as T


@R.function
def heads(q: R.Tensor((2, 31, 6, 4), "float32"), k: R.Tensor((2, 9, 4, 4), "float32"), v: R.Tensor((2, 9, 4, 4), "float32")):
    return R.nn.attention(q, k, v)


@R.function
def batches(q: R.Tensor((2, 31, 6, 4), "float32"), k: R.Tensor((2, 9, 2, 4), "float32"), v: R.Tensor((1, 9, 2, 4), "float32")):
    return R.nn.attention(q, k, v)


@R.function
def keys(q: R.Tensor((2, 31, 6, 4), "float32"), k: R.Tensor((2, 9, 2, 4), "float32"), v: R.Tensor((2, 8, 2, 4), "float32")):
    return R.nn.attention(q, k, v)


@R.function
def sizes(q: R.Tensor((2, "n", 6, 4), "float32"), k: R.Tensor((2, "n", 2, 3), "float32"), v: R.Tensor((2, "n", 2, 4), "float32")):
    n = T.int64()
    return R.nn.attention(q, k, v)


@R.function
def ranks(q: R.Tensor((2, 31, 6, 4), "float32"), k: R.Tensor((9, 2, 4), "float32"), v: R.Tensor((2, 9, 2, 4), "float32")):
    return R.nn.attention(q, k, v)


@R.function
def bias(q: R.Tensor((2, 31, 6, 4), "float32"), k: R.Tensor((2, 9, 2, 4), "float32"), v: R.Tensor((2, 9, 2, 4), "float32"), bias: R.Tensor((2, 1, 9), "float32")):
    return R.nn.attention(q, k, v, bias)

# OUT:
# error[E0610]: `R.nn.attention`: the number of heads of `query` is 6, but that of `key`, which divides it, is 4
#  --> attention-shapes.py:9:30
#   |
# 9 |     return R.nn.attention(q, k, v)
#   |                              ^
#
# error[E0610]: `R.nn.attention`: dimension 0 of `query` is 2, but dimension 0 of `value` is 1
#   --> attention-shapes.py:14:33
#    |
# 14 |     return R.nn.attention(q, k, v)
#    |                                 ^
#
# error[E0610]: `R.nn.attention`: dimension 1 of `key` is 9, but dimension 1 of `value` is 8
#   --> attention-shapes.py:19:33
#    |
# 19 |     return R.nn.attention(q, k, v)
#    |                                 ^
#
# error[E0610]: `R.nn.attention`: dimension 3 of `query` is 4, but dimension 3 of `key` is 3
#   --> attention-shapes.py:25:30
#    |
# 25 |     return R.nn.attention(q, k, v)
#    |                              ^
#
# error[E0602]: `R.nn.attention`: `key` must have rank 4: batches, rows, heads, sizes, and its shape is (9, 2, 4)
#   --> attention-shapes.py:30:30
#    |
# 30 |     return R.nn.attention(q, k, v)
#    |                              ^
#
# error[E0610]: `R.nn.attention`: the number of heads is 6, but dimension 0 of `bias` is 2
#   --> attention-shapes.py:35:36
#    |
# 35 |     return R.nn.attention(q, k, v, bias)
#    |                                    ^^^^
#    |
#    = note: it is as long, or 1: one for all
#
