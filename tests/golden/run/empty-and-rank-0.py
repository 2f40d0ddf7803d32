# RUN: run --in "x=0x3xf32=" --in "s=f32=2.5"
# Reductions over nothing give the neutral element; a tensor of rank 0 is one number.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((0, 3), dtype="float32"), s: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((0, 3), dtype="float32"), R.Tensor((), dtype="float32")):
        a = R.sum(x, axis=[0])
        b = R.prod(x)
        c = R.add(x, s)
        d = R.multiply(s, s)
        return (a, b, c, d)
# OUT:
# result.0: (3,) float32
# [0. 0. 0.]
# result.1: () float32
# 1.
# result.2: (0, 3) float32
# [] of shape (0, 3)
# result.3: () float32
# 6.25
