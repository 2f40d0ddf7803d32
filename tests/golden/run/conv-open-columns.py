# RUN: run -O3 --check --no-cache --in "x=1x1x2x4xf32=1 2 3 4 5 6 7 8" --in w=ones
# Sums over an open number of columns stay in the result between rows of the window: the vectors that hold the last of them
# are filled behind loops over longer vectors that run no round, and every level of optimisation sees that.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 2, "n"), "float32"), w: R.Tensor((1, 1, 2, 4), "float32")):
        y = R.nn.conv2d(x, w, strides=[1, 5])
        return y
# OUT:
# result: (1, 1, 1, 1) float32
# [[[[36.]]]]
