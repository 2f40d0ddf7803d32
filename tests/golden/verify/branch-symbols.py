# RUN: run FILE --dim n=2 --dim m=3 --in x=iota --in c=zeros
# A symbol that both branches bind has a value in each, and none behind: the result keeps its rank.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        if c:
            b = R.match_cast(R.reshape(x, R.shape([n * m])), R.Tensor((k,), "float32"))
            r = R.exp(b)
        else:
            b = R.match_cast(R.reshape(x, R.shape([m * n])), R.Tensor((k,), "float32"))
            r = R.negative(b)
        return r
# OUT:
# result: (6,) float32
# [-0. -1. -2. -3. -4. -5.]
