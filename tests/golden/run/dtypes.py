# RUN: run --in x=6xf16=1,2,0.1,-3,70000,0.00001
# float16, bfloat16 and integers: rounding, wrapping and saturation.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,), "float16")):
        a = R.add(x, x)
        b = R.astype(x, "bfloat16")
        c = R.astype(x, "uint8")
        d = R.astype(R.multiply(x, R.const(50.0, "float16")), "int8")
        e = R.add(d, d)
        f = R.greater(x, R.const(1.0, "float16"))
        g = R.astype(f, "float64")
        return (a, R.astype(b, "float32"), c, d, e, f, g)
# OUT:
# result.0: (6,) float16
# [   2.    4.   0.2   -6.   inf 2e-05]
# result.1: (6,) float32
# [         1.          2.    0.100098         -3.         inf 1.00136e-05]
# result.2: (6,) uint8
# [  1   2   0   0 255   0]
# result.3: (6,) int8
# [  50  100    5 -128  127    0]
# result.4: (6,) int8
# [100 -56  10   0  -2   0]
# result.5: (6,) bool
# [False  True False False  True False]
# result.6: (6,) float64
# [0. 1. 0. 0. 1. 0.]
