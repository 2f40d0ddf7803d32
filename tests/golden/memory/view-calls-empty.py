# RUN: run --check --in x=2x3xf32=1,2,3,4,5,6
# Parts without elements: R.reshape would take a 0 for the extent of the operand.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        t = R.matmul(x, R.permute_dims(x, axes=[1, 0]))
        none = R.strided_slice(t, axes=[1], begin=[1], end=[1])
        fewer = R.strided_slice(none, axes=[0], begin=[1], end=[1])
        s = R.sum(none, axis=[1])
        return (t, fewer, s)
# OUT:
# result.0: (2, 2) float32
# [[14. 32.]
#  [32. 77.]]
# result.1: (0, 0) float32
# [] of shape (0, 0)
# result.2: (2,) float32
# [0. 0.]
