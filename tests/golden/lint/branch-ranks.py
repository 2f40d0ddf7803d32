# RUN: check
# Branches of two ranks, of which an operator needs one; what a match_cast settles is right.
from tvm.script import relax as R


@R.function
def told(x: R.Tensor((1, 4), "float32"), flat: R.Tensor((), "bool")):
    if flat:
        y = R.reshape(x, (4,))
    else:
        y = x
    z = R.abs(y)
    return z


@R.function
def quiet(x: R.Tensor((1, 4), "float32"), flat: R.Tensor((), "bool")):
    if flat:
        y = R.reshape(x, (4,))
    else:
        y = x
    z = R.match_cast(y, R.Tensor((4,), "float32"))
    w = R.abs(z)
    return w
# OUT:
# warning[E0578]: the branches give values of rank 1 and rank 2, so that of `y` is not known
#   --> branch-ranks.py:11:9
#    |
#  9 |         y = R.reshape(x, (4,))
#    |         - R.Tensor((4,), dtype="float32")
# 10 |     else:
# 11 |         y = x
#    |         ^ R.Tensor((1, 4), dtype="float32")
#    |
#    = note: operators that compute with it need that, and a run is refused
#
