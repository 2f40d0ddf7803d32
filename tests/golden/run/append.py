# RUN: run --in past_k=1x3x4:iota --in past_v=1x3x4:ones --in x=1x4:iota --in b=0:iota
# The caches are not copied, and nothing is taken for them: what is new is written behind.  The second one is
# bounded by an upper bound; the old keys are read in front of the update and behind it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4), "float32"), past_k: R.Tensor((1, "n", 4), "float32"), past_v: R.Tensor((1, "n", 4), "float32"), b: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.inplace_arg": [1, 2, 3], "relax.capacity": {"past_k": 64, "b": 4}, "tir_var_upper_bound": {"n": 4}})
        with R.dataflow():
            new = R.reshape(R.negative(x), (1, 1, 4))
            before = R.sum(past_k)
            k = R.concat((past_k, new), axis=1)
            v = R.concat((past_v, new, new), axis=1)
            behind = R.sum(R.negative(past_k))
            first = R.reshape(x, (4,))
            c = R.concat((b, first), axis=0)
            R.output(before, behind, k, c)
        return (before, behind, k, c)

# OUT:
# result.0: () float32
# 66.
# result.1: () float32
# -66.
# result.2: (1, 4, 4) float32
# [[[ 0.  1.  2.  3.]
#   [ 4.  5.  6.  7.]
#   [ 8.  9. 10. 11.]
#   [-0. -1. -2. -3.]]]
# result.3: (4,) float32
# [0. 1. 2. 3.]
