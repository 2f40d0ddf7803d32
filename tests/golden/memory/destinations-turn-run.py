# RUN: run --check --in x='4xf32=1 2 3 4' --in c=bool=1
# `ping` leaves for `pong`, which returns its argument: whoever called `ping` is told where the result is all the same.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def ping(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            y = cls.pong(x, c)
        else:
            y = R.exp(x)
        return y

    @R.function(private=True)
    def pong(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        t = cls.ping(R.add(x, x), R.const(False, "bool"))
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        a = cls.ping(x, c)
        b = cls.pong(a, c)
        return (a, b)
# OUT:
# result.0: (4,) float32
# [1. 2. 3. 4.]
# result.1: (4,) float32
# [1. 2. 3. 4.]
