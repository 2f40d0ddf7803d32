# RUN: run --check --skip=FuseOps,FuseTIR
# Something else lies in a part of the storage of each result before: that storage stays the function's own.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def larger(x: R.Tensor((4,), "float32")) -> R.Tensor((8, 4), "float32"):
        a = R.cumsum(x, axis=0)
        b = R.broadcast_to(R.reshape(a, (1, 4)), (8, 4))
        c = R.matmul(b, R.outer(x, x))
        return c

    @R.function(private=True)
    def padded(x: R.Tensor((1, 1, 9), "float32"), w: R.Tensor((2, 1, 1), "float32")) -> R.Tensor((1, 2, 11), "float32"):
        a = R.flip(x, axis=2)
        b = R.nn.conv1d(a, w, padding=[1, 1])
        return b

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((1, 1, 9), "float32"), w: R.Tensor((2, 1, 1), "float32")):
        cls = Module
        a = cls.larger(x)
        b = cls.padded(y, w)
        return (R.exp(a), R.exp(b))
# OUT:
# result.0: (8, 4) float32
# [[ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]
#  [ 1.24377  2.23783  4.68157 0.833307]]
# result.1: (1, 2, 11) float32
# [[[      1.  1.47118 0.690958 0.704697  1.26763  1.33819 0.663391 0.862539 0.680291 0.868492
#          1.]
#   [      1. 0.818695  1.21113  1.19883 0.884368  0.85989  1.23695  1.07963  1.22093  1.07579
#          1.]]]
