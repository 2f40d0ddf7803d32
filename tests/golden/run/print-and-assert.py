# RUN: run --in "x=2xf32=1 2"
# Print goes out in order; an assertion that holds is silent.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        _ = R.print(x, format="x = {}")
        _1 = R.assert_op(R.const(True, "bool"), x, format="never {}")
        y = R.add(x, x)
        _2 = R.print(y, format="y = {}")
        return y
# OUT:
# x = [1. 2.]
# y = [2. 4.]
# result: (2,) float32
# [2. 4.]
