# RUN: run --in x=zeros --in n=600
# Recursion goes as deep as the stack of the thread has room for; 600 ones are added.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def step(x: R.Tensor((2,), "float32"), n: T.int64) -> R.Tensor((2,), "float32"):
        if n <= 0:
            r = x
        else:
            y = R.add(x, R.const(1.0))
            r = Module.step(y, n - 1)
        return r

    @R.function
    def main(x: R.Tensor((2,), "float32"), n: T.int64) -> R.Tensor((2,), "float32"):
        return Module.step(x, n)
# OUT:
# result: (2,) float32
# [600. 600.]
