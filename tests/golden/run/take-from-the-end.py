# RUN: run --in x=5x2xf32=0,1,2,3,4,5,6,7,8,9 --in at=3xi64=-1,0,-5
# Indices of take below 0 count from the end, as torch's select writes them; of constants and of what is given.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((5, 2), dtype="float32"), at: R.Tensor((3,), dtype="int64")):
        last = R.take(x, R.const(-1, "int64"), axis=0, mode="fast")
        some = R.take(x, at, axis=0)
        flat = R.take(x, R.const(-2, "int64"))
        return (last, some, flat)
# OUT:
# result.0: (2,) float32
# [8. 9.]
# result.1: (3, 2) float32
# [[8. 9.]
#  [0. 1.]
#  [0. 1.]]
# result.2: () float32
# 8.
