# RUN: run --in past=1x2x3x2:iota --in x=1x2x1x2:ones --in c=2x3:iota --in y=2x2:ones
# Rows of many heads are moved within the storage of the cache, the last first, and rows that are cut in two, too.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 1, 2), "float32"), past: R.Tensor((1, 2, "n", 2), "float32"), y: R.Tensor((2, 2), "float32"), c: R.Tensor((2, "m"), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.inplace_arg": [1, 3], "relax.capacity": {"past": 4, "c": 8}})
        with R.dataflow():
            before = R.sum(past)
            k = R.concat((past, R.negative(x)), axis=2)
            s = R.sum(k)
            d = R.concat((c, y), axis=1)
            R.output(before, k, s, d)
        return (before, k, s, d)

# OUT:
# result.0: () float32
# 66.
# result.1: (1, 2, 4, 2) float32
# [[[[ 0.  1.]
#    [ 2.  3.]
#    [ 4.  5.]
#    [-1. -1.]]
#   [[ 6.  7.]
#    [ 8.  9.]
#    [10. 11.]
#    [-1. -1.]]]]
# result.2: () float32
# 62.
# result.3: (2, 5) float32
# [[0. 1. 2. 1. 1.]
#  [3. 4. 5. 1. 1.]]
