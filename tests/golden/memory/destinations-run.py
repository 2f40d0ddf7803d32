# RUN: run --check --stats --threads=1 --in x='4xf32=-0.1 -2 -3 -4' --in m=random:1:2:3 --in c=bool=1
# Nested calls take nothing from the heap: results have places in the plan of `main`, or are where its caller wants them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def through(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        a = cls.one(x)
        b = cls.one(a)
        return b, a

    @R.function(private=True)
    def branch(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        if c:
            y = R.exp(x)
        else:
            y = R.tanh(x)
        return y

    @R.function(private=True)
    def twice(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        y = R.exp(x)
        return y, y

    @R.function(private=True)
    def sized(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4,), "float32")) -> R.Tensor(("n * 8",), "float32"):
        n = T.int64()
        y = R.concat((R.reshape(x, (n * 4,)), R.reshape(R.multiply(x, w), (n * 4,))))
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32"), m: R.Tensor((512, 4), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        t = cls.through(x)
        a = t[0]
        b = cls.branch(a, c)
        u = cls.twice(b)
        s = cls.sized(m, u[0])
        return s
# OUT:
# result: (4096,) float32
# [2.56656 2.74578   2.971 ... 53.8398 50.8519 38.8859]
# min 2.00011, max 415539, mean 43294.9
# in place: 0, copies: 2 (at least 0 bytes), fresh: 0, views: 2
# memory: 24704 bytes at most, 24640 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
