# RUN: run --in "x=5xi32=-2147483648 7 -7 7 -2147483648" --in "y=5xi32=-1 2 2 0 0"
# Division of integers: the smallest number by -1 wraps, by zero gives 0, floors round down.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((5,), dtype="int32"), y: R.Tensor((5,), dtype="int32")) -> R.Tuple(R.Tensor((5,), dtype="int32"), R.Tensor((5,), dtype="int32"), R.Tensor((5,), dtype="int32"), R.Tensor((5,), dtype="int32")):
        a = R.floor_divide(x, y)
        b = R.floor_mod(x, y)
        c = R.divide(x, y)
        d = R.mod(x, y)
        return (a, b, c, d)
# OUT:
# result.0: (5,) int32
# [-2147483648           3          -4           0           0]
# result.1: (5,) int32
# [0 1 1 0 0]
# result.2: (5,) int32
# [-2147483648           3          -3           0           0]
# result.3: (5,) int32
# [ 0  1 -1  0  0]
