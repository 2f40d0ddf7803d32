# RUN: run --check --stats --in n=30001 --in x=4xf32=1,2,3,4
# Two functions that call each other in turn, with a tuple of state that one of them passes on as it is.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def even(s: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), i: R.Prim("int64")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        if R.prim_value(i > 0):
            a = s[0]
            b = s[1]
            c = R.maximum(R.subtract(a, b), R.const(0.25, "float32"))
            r: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")) = cls.odd((b, c), R.prim_value(i - 1))
        else:
            r = s
        return r

    @R.function(private=True)
    def odd(s: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), i: R.Prim("int64")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        if R.prim_value(i > 0):
            a = s[0]
            b = R.minimum(R.add(a, a), R.const(3.0, "float32"))
            r: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")) = cls.even((b, a), R.prim_value(i - 1))
        else:
            r = s
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), n: R.Prim("int64")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        r: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")) = cls.even((x, x), R.prim_value(n))
        return r
# OUT:
# result.0: (4,) float32
# [1. 2. 3. 4.]
# result.1: (4,) float32
# [  1.   1. 0.25 0.25]
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 128 bytes at most, 480128 bytes in 30004 allocations
# time: compile _ ms, run _ ms, threads: 1
