# RUN: run --in "x=4xf32=1 2 3 4"
# Functions call each other with tuples; fields keep their order.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def swap(p: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        a = p[0]
        b = p[1]
        return (R.subtract(a, b), a)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        cls = Module
        p = R.split(x, 2, axis=0)
        a = p[0]
        b = p[1]
        r: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = cls.swap((a, b))
        return r
# OUT:
# result.0: (2,) float32
# [-2. -2.]
# result.1: (2,) float32
# [1. 2.]
