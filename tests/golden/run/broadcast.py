# RUN: run --in "x=2x3xf32=1 2 3 4 5 6" --in "y=3xf32=10 20 30"
# Row broadcasting.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3,), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        z = R.add(x, y)
        return z
# OUT:
# result: (2, 3) float32
# [[11. 22. 33.]
#  [14. 25. 36.]]
