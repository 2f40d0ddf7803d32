# RUN: run --in x=2x1x2:iota --in p=2x1x2:ones --in q=2x1x2:ones
# What the one join puts together is read by another one, which moves a cache.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1, 2), "int32"), p: R.Tensor((2, "n", 2), "int32"), q: R.Tensor((2, "n", 2), "int32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [1, 2], "relax.capacity": {"p": 8, "q": 8}})
        with R.dataflow():
            a = R.negative(x)
            j = R.concat((a, p), axis=1)
            k = R.concat((q, a), axis=1)
            s = R.negative(j)
            R.output(j, k, s)
        return (j, k, s)

# OUT:
# result.0: (2, 2, 2) int32
# [[[ 0 -1]
#   [ 1  1]]
#  [[-2 -3]
#   [ 1  1]]]
# result.1: (2, 2, 2) int32
# [[[ 1  1]
#   [ 0 -1]]
#  [[ 1  1]
#   [-2 -3]]]
# result.2: (2, 2, 2) int32
# [[[ 0  1]
#   [-1 -1]]
#  [[ 2  3]
#   [-1 -1]]]
