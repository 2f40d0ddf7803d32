# RUN: run --in "x=6xf32=nan inf -inf 0 -0 1" --in "y=6xf32=1 inf nan -0 0 nan"
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
# error[E0810]: the code generator inlay-llvm.so cannot be loaded
#   = help: --interpret runs the script without it
#
# exit status 1
