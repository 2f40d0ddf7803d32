# RUN: run --in x=3xf32=1,2,3 --in n=4
# A function that calls itself, with a branch: x * 2 until n is 0.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function(private=True)
    def power(x: R.Tensor((3,), "float32"), n: R.Tensor((), "int64")) -> R.Tensor((3,), "float32"):
        cls = Module
        more = R.greater(n, R.const(0, "int64"))
        if more:
            less = R.subtract(n, R.const(1, "int64"))
            twice = R.add(x, x)
            y = cls.power(twice, less)
        else:
            y = x
        return y

    @R.function
    def main(x: R.Tensor((3,), "float32"), n: R.Tensor((), "int64")) -> R.Tensor((3,), "float32"):
        cls = Module
        y = cls.power(x, n)
        return y
# OUT:
# result: (3,) float32
# [16. 32. 48.]
