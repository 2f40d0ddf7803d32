# RUN: run --in "x=2x2xf32=1 2 3 4" --check
# One tensor stands for a list of one, interpreted, too.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2, 2), "float32")):
    return (R.concat(x, axis=1), R.stack(x, axis=0))
# OUT:
# result.0: (2, 2) float32
# [[1. 2.]
#  [3. 4.]]
# result.1: (1, 2, 2) float32
# [[[1. 2.]
#   [3. 4.]]]
