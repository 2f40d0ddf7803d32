# RUN: run --in "a=2x3xf32=1 2 3 4 5 6" --in "b=3x2xf32=1 0 0 1 1 1"
# Matrix product, a batch of it and its broadcast.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 3), dtype="float32"), b: R.Tensor((3, 2), dtype="float32")) -> R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((1, 2, 2), dtype="float32")):
        x = R.matmul(a, b)
        c = R.expand_dims(a, axis=[0])
        y = R.matmul(c, b)
        return (x, y)
# OUT:
# result.0: (2, 2) float32
# [[ 4.  5.]
#  [10. 11.]]
# result.1: (1, 2, 2) float32
# [[[ 4.  5.]
#   [10. 11.]]]
