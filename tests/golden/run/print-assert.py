# RUN: run --in x=3xf32=1,2,3
# R.print and R.assert_op; values of all kinds in holes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        _ = R.print(x, R.shape([2, 3]), format="x is {} and a shape {}")
        _1 = R.assert_op(R.const(True, "bool"), x, format="never {}")
        y = R.negative(x)
        _2 = R.print(y)
        return y
# OUT:
# x is [1. 2. 3.] and a shape (2, 3)
# [-1. -2. -3.]
# result: (3,) float32
# [-1. -2. -3.]
