# RUN: run --in b="4xf32=-1 0 2 5" --in i="4xi32=-3 0 3 4"
# A bare number beside a condition has the dtype of the other branch; two have their own.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(b: R.Tensor((4,), "float32"), i: R.Tensor((4,), "int32")):
        w = R.where(b > 0, b, 0)
        x = R.where(i > 2, i, -1)
        y = R.where(b > 0, 1.5, 0.0)
        z = R.where(i > 2, 2, 7)
        u = R.where(b > 0, 3, b)
        return (w, x, y, z, u)
# OUT:
# result.0: (4,) float32
# [0. 0. 2. 5.]
# result.1: (4,) int32
# [-1 -1  3  4]
# result.2: (4,) float32
# [ 0.  0. 1.5 1.5]
# result.3: (4,) int32
# [7 7 2 2]
# result.4: (4,) float32
# [-1.  0.  3.  3.]
