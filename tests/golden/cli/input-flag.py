# RUN: run --in flag=True --in x='2xf32=1 2' --in y=zeros
# A bool may be written as in Python.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32"), flag: R.Tensor((), "bool")):
    z = R.where(flag, x, y)
    return z
# OUT:
# result: (2,) float32
# [1. 2.]
