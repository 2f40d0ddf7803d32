# RUN: run -p unscheduled --dim m=2 --in "x=3x2xf32=1 2 3 4 5 6"
# The first part of a split has no elements, so it is nowhere in the storage that the joined ones are written to, whatever m is.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, "m"), "float32"), e: R.Tensor((0, "m"), "float32")):
        m = T.int64()
        v1 = R.repeat(x, 1, axis=0)
        v2 = R.split(v1, indices_or_sections=[0, 3, 3], axis=0)
        v3 = v2[0]
        v4 = v2[1]
        v5 = v2[2]
        v7 = R.concat((v3, v4, v5, e), axis=0)
        return (v7, v3)
# OUT:
# result.0: (3, 2) float32
# [[1. 2.]
#  [3. 4.]
#  [5. 6.]]
# result.1: (0, 2) float32
# [] of shape (0, 2)
