# RUN: run --check --in "x=12xf32=0 -0 1 -1 nan inf -inf 88.72284 -103.97208 1e-45 -1e-40 3.4028235e38"
# Ends of the ranges: overflow, subnormal results, zeros with their signs, infinities and NaN.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((12,), "float32")):
        return (R.exp(x), R.log(x), R.tanh(x), R.sigmoid(x), R.erf(x), R.rsqrt(x))
# OUT:
# result.0: (12,) float32
# [      1.       1.  2.71828 0.367879      nan      inf       0.      inf    1e-45       1.
#        1.      inf]
# result.1: (12,) float32
# [    -inf     -inf       0.      nan      nan      inf      nan  4.48552      nan -103.279
#       nan  88.7228]
# result.2: (12,) float32
# [       0.       -0.  0.761594 -0.761594       nan        1.       -1.        1.       -1.
#      1e-45    -1e-40        1.]
# result.3: (12,) float32
# [     0.5      0.5 0.731059 0.268941      nan       1.       0.       1.       0.      0.5
#       0.5       1.]
# result.4: (12,) float32
# [          0.          -0.     0.842701    -0.842701          nan           1.          -1.
#            1.          -1.        1e-45 -1.12837e-40           1.]
# result.5: (12,) float32
# [        inf        -inf          1.         nan         nan          0.         nan
#     0.106165         nan 2.67137e+22         nan 5.42101e-20]
