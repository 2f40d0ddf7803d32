# RUN: run -p "ToMixedPrecision,default" --check --tolerance 0.01 --in x=1x2x3x4:ones --in w=4x4xf32=0.25,0,0,0,0,0.25,0,0,0,0,0.25,0,0,0,0,0.25 --in bias=1x3x2x2xf32=0,0,0,0,-1e9,-1e9,0,-1e9,0,0,0,0 --entry heads
# Each value of x is 1, so are all weighted means of it, whatever the weights: 24 of them. A row of bias may be -1e9 all along.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def layer(x: R.Tensor((2, 4), "float32"), w: R.Tensor((3, 4), "float32"), b: R.Tensor((3,), "float32")):
        y = R.linear(x, w, b)
        z = R.clip(y, 0.0, 6.0)
        p = R.nn.pad(z, (0, 0, 0, 1))
        e = R.exp(p)
        u = R.linear(p, R.tile(p, (2, 1)))
        return (e, u)

    @R.function
    def heads(x: R.Tensor((1, 2, 3, 4), "float32"), w: R.Tensor((4, 4), "float32"), bias: R.Tensor((1, 3, 2, 2), "float32")):
        q = R.matmul(x, w)
        a = R.nn.attention(q, x, x)
        m = R.nn.attention(q, x, a, bias)
        s = R.sum(m)
        return s
# OUT:
# result: () float32
# 24.
