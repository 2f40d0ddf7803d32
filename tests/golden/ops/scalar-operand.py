# RUN: run --check --in x=2x2xf32=1,2,3,4 --in y=2.5 --in i=1
# Scalars that are known when the program runs only are parameters of the kernels.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), "float32"), y: R.Prim("float32"), i: R.Prim("int64")):
        a = R.subtract(x, y)
        b = R.greater(a, y)
        c = R.take(x, i, axis=0)
        return (a, b, c)
# OUT:
# result.0: (2, 2) float32
# [[-1.5 -0.5]
#  [ 0.5  1.5]]
# result.1: (2, 2) bool
# [[False False]
#  [False False]]
# result.2: (2,) float32
# [3. 4.]
