# RUN: run -p DecomposeOpsForInference,default --in x=1x4x2xf32=1,3,5,9,0,4,8,0 --in q=1x3x1x2xf32=0,0,0,0,0,0 --in v=1x3x1x1xf32=3,6,12 --in u=2x2xf32=1,2,3,4
# batch_norm: (x - 1) / 2 * (1, 2, 3, 4) + 10, the root is that of 3 + 1.  group_norm of two groups with the means 4.5 and 3 and
# the variances 8.75 and 11, to which 0.25 and 5 are added by epsilon in turn.  Attention with equal scores gives means of
# the values that are seen: all, or none behind the query.  linear: u @ ((1, 2), (0, 1)).T + (10, 20).
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 2), "float32"), q: R.Tensor((1, 3, 1, 2), "float32"), v: R.Tensor((1, 3, 1, 1), "float32"), u: R.Tensor((2, 2), "float32")):
        gamma = R.const([1.0, 2.0, 3.0, 4.0], "float32")
        beta = R.const([10.0, 10.0, 10.0, 10.0], "float32")
        t = R.nn.batch_norm(x, gamma, beta, R.const([1.0, 1.0, 1.0, 1.0], "float32"), R.const([3.0, 3.0, 3.0, 3.0], "float32"), axis=1, epsilon=1.0, training=False)
        a = t[0]
        d = R.nn.dropout(a)
        b = d[0]
        c = R.nn.group_norm(x, gamma, beta, num_groups=2, channel_axis=1, axes=[2], epsilon=0.25)
        e = R.nn.group_norm(x, gamma, beta, num_groups=2, channel_axis=1, axes=[2], epsilon=5.0, scale=False, center=False)
        f = R.nn.attention(q, q, v)
        g = R.nn.attention(q, q, v, causal_mask="TopLeft")
        h = R.linear(u, R.const([[1.0, 2.0], [0.0, 1.0]], "float32"), R.const([10.0, 20.0], "float32"))
        i = R.nn.instance_norm(x, gamma, beta, channel_axis=1, axes=[2], epsilon=3.0, scale=False)
        return (b, c, e, f, g, h, i)
# OUT:
# result.0: (1, 4, 2) float32
# [[[ 10.  11.]
#   [ 14.  18.]
#   [ 8.5 14.5]
#   [ 24.   8.]]]
# result.1: (1, 4, 2) float32
# [[[8.83333     9.5]
#   [10.3333     13.]
#   [7.31672 10.8944]
#   [15.9628 6.42229]]]
# result.2: (1, 4, 2) float32
# [[[-0.94388 -0.40452]
#   [ 0.13484  1.21356]
#   [   -0.75     0.25]
#   [    1.25    -0.75]]]
# result.3: (1, 3, 1, 1) float32
# [[[[7.]]
#   [[7.]]
#   [[7.]]]]
# result.4: (1, 3, 1, 1) float32
# [[[[ 3.]]
#   [[4.5]]
#   [[ 7.]]]]
# result.5: (2, 2) float32
# [[15. 22.]
#  [21. 24.]]
# result.6: (1, 4, 2) float32
# [[[    9.5    10.5]
#   [9.24407 10.7559]
#   [9.24407 10.7559]
#   [10.9177 9.08234]]]
