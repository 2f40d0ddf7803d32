# RUN: run --in "c=bool=0" --in "x=3xf32=1 2 3"
# Only the branch that is chosen runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        if c:
            y = R.add(x, x)
        else:
            y = R.negative(x)
        return y
# OUT:
# result: (3,) float32
# [-1. -2. -3.]
