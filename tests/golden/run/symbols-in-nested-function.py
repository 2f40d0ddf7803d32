# RUN: run --check -p LambdaLift,default --in x=3:iota --in c=1 --in d=1
# A nested function binds symbols in its branches, and reads one of the function around it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(x: R.Tensor(ndim=1, dtype="float32"), c: R.Tensor((), "bool"), d: R.Tensor((), "bool")):
    n = T.int64()
    p = R.match_cast(x, R.Tensor((n,), 'float32'))
    @R.function
    def g(y: R.Tensor(ndim=1, dtype="float32")) -> R.Tensor(ndim=1, dtype="float32"):
        k = T.int64()
        if c:
            if d:
                a = R.match_cast(y, R.Tensor((k,), "float32"))
                w = R.add(a, R.ones((k,), "float32"))
            else:
                w = y
            q = T.int64()
            yy = R.match_cast(w, R.Tensor((q,), 'float32'))
            v0 = R.match_cast(y, R.Tensor((n,), 'float32'))
            v1 = R.add(v0, p)
            v = R.add(v1, R.ones((n,), 'float32'))
        else:
            v = y
        return v
    if d:
        q = R.match_cast(x, R.Tensor((n,), "float32"))
        r = g(q)
    else:
        r = g(x)
    return r
# OUT:
# result: (3,) float32
# [1. 3. 5.]
