# RUN: run --check --in x=2x1xf32=1,2
# Views of a tensor of which the rank alone is known have its sizes; squeeze takes no axis away that is not known to be 1.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32")):
        whole = R.squeeze(x)
        flat = R.flatten(x)
        thick = R.expand_dims(x, axis=[1])
        return (whole, flat, thick)
# OUT:
# result.0: (2, 1) float32
# [[1.]
#  [2.]]
# result.1: (2,) float32
# [1. 2.]
# result.2: (2, 1, 1) float32
# [[[1.]]
#  [[2.]]]
