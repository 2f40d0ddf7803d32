# RUN: run --in "x=6xf32=-87 -30 -9 0 3 25"
# The small values that log(1 + exp(x)) would lose; numbers from math.log1p(math.exp(x)).
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,), "float32")) -> R.Tensor((6,), "float32"):
        with R.dataflow():
            a = R.nn.softplus(x)
            R.output(a)
        return a
# OUT:
# result: (6,) float32
# [1.64581e-38 9.35762e-14 0.000123402    0.693147     3.04859         25.]
