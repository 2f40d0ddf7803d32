# RUN: run --in=x=2x3xf32=1,-2,3,-4,5,-6 --in=s=1xf32=2 --in=m=1x3xbool=1,0,0 --in=i=1xi64=1 --in=j=3xi64=0,1,2
# What is spread over another operand may be 1 in a run only: scales, slopes, masks, biases, index tensors and their values.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "c"), "float32"), s: R.Tensor(("k",), "float32"), m: R.Tensor(("a", "b"), "bool"), i: R.Tensor(("p",), "int64"), j: R.Tensor(("q",), "int64")):
        scaled = R.quantize(x, s, R.const(0, "int8"), axis=1)
        sloped = R.nn.prelu(x, s, axis=1)
        masked = R.masked_fill(x, m, R.const(0, "float32"))
        put = R.index_put(x, (i, j), s)
        product = R.linear(x, x, s)
        return (scaled, sloped, masked, put, product)
# OUT:
# result.0: (2, 3) int8
# [[ 0 -1  2]
#  [-2  2 -3]]
# result.1: (2, 3) float32
# [[  1.  -4.   3.]
#  [ -8.   5. -12.]]
# result.2: (2, 3) float32
# [[ 0. -2.  3.]
#  [ 0.  5. -6.]]
# result.3: (2, 3) float32
# [[ 1. -2.  3.]
#  [ 2.  2.  2.]]
# result.4: (2, 2) float32
# [[ 16. -30.]
#  [-30.  79.]]
