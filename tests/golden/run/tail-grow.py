# RUN: run --check --stats --in n=300 --in x=1xf32=1
# What a turn is given grows from turn to turn: symbols are bound anew, and the rows of before are gone.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def grow(x: R.Tensor(("m",), "float32"), n: R.Prim("int64")) -> R.Tensor(ndim=1, dtype="float32"):
        cls = Module
        m = T.int64()
        if R.prim_value(m < n):
            y = R.multiply(x, R.const(0.5, "float32"))
            z = R.concat((y, R.const([1.0], "float32")), axis=0)
            r: R.Tensor(ndim=1, dtype="float32") = cls.grow(z, R.prim_value(n))
        else:
            r: R.Tensor(ndim=1, dtype="float32") = x
        return r

    @R.function
    def main(x: R.Tensor((1,), "float32"), n: R.Prim("int64")) -> R.Tensor(ndim=1, dtype="float32"):
        cls = Module
        r: R.Tensor(ndim=1, dtype="float32") = cls.grow(x, R.prim_value(n))
        return r
# OUT:
# result: (300,) float32
# [  0.   0.   0. ... 0.25  0.5   1.]
# min 0, max 1, mean 0.00666667
# in place: 0, copies: 1 (4 bytes), fresh: 0, views: 0
# memory: 2396 bytes at most, 180652 bytes in 301 allocations
# time: compile _ ms, run _ ms, threads: 1
