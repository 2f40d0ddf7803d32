# RUN: run --check --in "x=4xf32=0 0.5 1 2" --in "c=1"
# Nested functions that are lifted, and branches, fuse and mean the same: -tanh(-x) - 1 = tanh(x) - 1.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        one = R.const(1.0, "float32")

        @R.function
        def inner(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            a = R.negative(y)
            b = R.tanh(a)
            d = R.negative(b)
            return d

        if c:
            t = inner(x)
            r = R.subtract(t, one)
        else:
            s = R.add(x, one)
            r = inner(s)
        return r
# OUT:
# result: (4,) float32
# [       -1.  -0.537883  -0.238406 -0.0359724]
