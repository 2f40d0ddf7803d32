# RUN: run --check --in x=3:iota --in c=1 --in d=0
# Symbols that are bound in branches of branches have the sizes of the way that is taken.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@R.function
def main(x: R.Tensor(ndim=1, dtype="float32"), c: R.Tensor((), "bool"), d: R.Tensor((), "bool")):
    n = T.int64()
    m = T.int64()
    k = T.int64()
    p = R.match_cast(x, R.Tensor((k,), "float32"))
    if c:
        a = R.match_cast(x, R.Tensor((n,), "float32"))
        if d:
            b = R.match_cast(p, R.Tensor((m,), "float32"))
            e = R.concat((a, b))
            y = R.add(e, R.ones((n + m,), "float32"))
        else:
            if c:
                b2 = R.match_cast(p, R.Tensor((m,), "float32"))
                f = R.concat((R.zeros((m,), "float32"), b2, a))
            else:
                f = a
            y = f
        q = T.int64()
        y2 = R.match_cast(y, R.Tensor((q,), "float32"))
        z = R.add(y2, R.ones((q,), "float32"))
    else:
        z = R.add(p, R.ones((k,), "float32"))
    return (z, p)
# OUT:
# result.0: (9,) float32
# [1. 1. 1. 1. 2. 3. 1. 2. 3.]
# result.1: (3,) float32
# [0. 1. 2.]
