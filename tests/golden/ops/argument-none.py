# FAIL: check
# None for an argument that has no None is refused, as TVM does, with its default; where None is one, it stays.
from tvm.script import relax as R


@R.function
def fits(x: R.Tensor((4, 4), "float32"), z: R.Tensor((1, 3, 8, 8), "float32")):
    a = R.concat((x, x), axis=None)
    b = R.cumsum(x, axis=0, exclusive=None)
    c = R.topk(x, k=2, dtype=None)
    d = R.sum(x, axis=None)
    e = R.argsort(x, dtype=None)
    return (a, b, c, d, e)


@R.function
def misfits(x: R.Tensor((4, 4), "float32"), z: R.Tensor((1, 3, 8, 8), "float32"), g: R.Tensor((4,), "float32")):
    a = R.topk(x, k=None)
    b = R.nn.layer_norm(x, g, g, axes=-1, epsilon=None)
    c = R.nn.max_pool2d(z, strides=None)
    d = R.image.resize2d(z, size=(8, 8), method=None)
    e = R.astype(x, dtype=None)
    return (a, b, c, d, e)
# OUT:
# error[E0655]: argument `k` of `R.topk` must be an integer, not None
#   --> argument-none.py:18:21
#    |
# 18 |     a = R.topk(x, k=None)
#    |                     ^^^^
#    |
#    = help: leave it out for its default, `1`
#
# error[E0655]: argument `epsilon` of `R.nn.layer_norm` must be a number, not None
#   --> argument-none.py:19:51
#    |
# 19 |     b = R.nn.layer_norm(x, g, g, axes=-1, epsilon=None)
#    |                                                   ^^^^
#    |
#    = help: leave it out for its default, `1e-05`
#
# error[E0655]: argument `strides` of `R.nn.max_pool2d` must be a list of integers, not None
#   --> argument-none.py:20:36
#    |
# 20 |     c = R.nn.max_pool2d(z, strides=None)
#    |                                    ^^^^
#    |
#    = help: leave it out for its default, `[1, 1]`
#
# error[E0655]: argument `method` of `R.image.resize2d` must be a string, not None
#   --> argument-none.py:21:49
#    |
# 21 |     d = R.image.resize2d(z, size=(8, 8), method=None)
#    |                                                 ^^^^
#    |
#    = help: leave it out for its default, `"linear"`
#
# error[E0655]: argument `dtype` of `R.astype` must be a dtype, not None
#   --> argument-none.py:22:27
#    |
# 22 |     e = R.astype(x, dtype=None)
#    |                           ^^^^
#
