# RUN: run --check --no-cache --in x=5xf32=nan,inf,-inf,1,2.5 --in edges=4xf32=-1,1,2,nan --in some=2xf32=0,inf
# NaN lies behind all numbers, among the elements and the boundaries: the order is that of R.sort.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((5,), "float32"), edges: R.Tensor((4,), "float32"), some: R.Tensor((2,), "float32")):
        left = R.bucketize(x, edges)
        right = R.bucketize(x, edges, right=True)
        least = R.bucketize(x, some)
        most = R.bucketize(x, some, right=True)
        return (left, right, least, most)
# OUT:
# result.0: (5,) int64
# [3 3 0 1 3]
# result.1: (5,) int64
# [4 3 0 2 3]
# result.2: (5,) int64
# [2 1 0 1 1]
# result.3: (5,) int64
# [2 2 0 1 1]
