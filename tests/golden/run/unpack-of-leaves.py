# RUN: run --in x=iota --in y=ones
# What stands in the place of a value and has no name of its own is unpacked into several.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
    a, b = R.tuple(x, y)
    c, d = R.tuple(a, b)
    return R.add(c, d)
# OUT:
# result: (4,) float32
# [1. 2. 3. 4.]
