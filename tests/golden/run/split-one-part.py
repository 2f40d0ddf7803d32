# RUN: run --in x=4xf32=1,2,3,4
# One part of a split is a tensor, not a tuple of one.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")):
        y = R.split(x, 1)
        z = R.add(y, y)
        return z
# OUT:
# result: (4,) float32
# [2. 4. 6. 8.]
