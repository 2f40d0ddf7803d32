# RUN: run --in "x=6xf32=nan inf -inf 0 -0 1" --in "y=6xf32=1 2 3 0 5 0"
# NaN passes through maximum and minimum; zeros of both signs; infinities.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,), dtype="float32"), y: R.Tensor((6,), dtype="float32")) -> R.Tuple(R.Tensor((6,), dtype="float32"), R.Tensor((6,), dtype="float32"), R.Tensor((6,), dtype="float32"), R.Tensor((6,), dtype="bool"), R.Tensor((6,), dtype="float32")):
        a = R.maximum(x, y)
        b = R.minimum(x, y)
        c = R.divide(x, y)
        d = R.less(x, y)
        e = R.sqrt(x)
        return (a, b, c, d, e)
# OUT:
# result.0: (6,) float32
# [nan inf  3.  0.  5.  1.]
# result.1: (6,) float32
# [ nan   2. -inf   0.  -0.   0.]
# result.2: (6,) float32
# [ nan  inf -inf  nan  -0.  inf]
# result.3: (6,) bool
# [False False  True False  True False]
# result.4: (6,) float32
# [nan inf nan  0. -0.  1.]
