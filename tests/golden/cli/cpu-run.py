# RUN: run --check --cpu=x86-64 --in x=2xf32=1.5,-3 --in h=2xf16=0.5,2
# Code for the oldest processor runs on all of its kind: no fused multiply-add, no conversions of float16.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), h: R.Tensor((2,), "float16")):
        a = R.add(R.multiply(x, x), x)
        return (a, R.multiply(h, h), R.astype(R.exp(R.astype(h, "float32")), "float16"))
# OUT:
# result.0: (2,) float32
# [3.75   6.]
# result.1: (2,) float16
# [0.25   4.]
# result.2: (2,) float16
# [1.648  7.39]
