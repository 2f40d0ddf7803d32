# RUN: run --in x=random:7:254:256 --in y=random:7:-3:-1 --in z=random:7:2:2.5 --in b=random:7:0:2 --in w=random:7:9223372036854775808:9223372036854775810
# Numbers from a range: all of them occur, none outside.
from tvm.script import relax as R


@R.function
def main(
    x: R.Tensor((8,), "uint8"), y: R.Tensor((8,), "int64"), z: R.Tensor((4,), "float16"), b: R.Tensor((4,), "bool"), w: R.Tensor((4,), "uint64")
):
    return (x, y, z, b, w)
# OUT:
# result.0: (8,) uint8
# [255 254 254 255 254 255 254 254]
# result.1: (8,) int64
# [-2 -3 -3 -2 -3 -2 -3 -3]
# result.2: (4,) float16
# [2.195 2.008 2.451 2.291]
# result.3: (4,) bool
# [ True False False  True]
# result.4: (4,) uint64
# [9223372036854775809 9223372036854775808 9223372036854775808 9223372036854775809]
