# RUN: run --check --stats --in n=40 --in x=4xf32=1,2,3,4
# A loop in each turn of a loop: the inner one has turns of its own.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def inner(x: R.Tensor((4,), "float32"), i: R.Prim("int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            y = R.multiply(R.add(x, R.const(1.0, "float32")), R.const(0.5, "float32"))
            r: R.Tensor((4,), "float32") = cls.inner(y, R.prim_value(i - 1))
        else:
            r = R.negative(x)
        return r

    @R.function(private=True)
    def outer(x: R.Tensor((4,), "float32"), s: R.Tensor((4,), "float32"), i: R.Prim("int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            y: R.Tensor((4,), "float32") = cls.inner(x, R.prim_value(i))
            t = R.add(s, y)
            r: R.Tensor((4,), "float32") = cls.outer(y, t, R.prim_value(i - 1))
        else:
            r = s
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), n: R.Prim("int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        r: R.Tensor((4,), "float32") = cls.outer(x, x, R.prim_value(n))
        return r
# OUT:
# result: (4,) float32
# [-37.2996 -36.2996 -35.2996 -34.2996]
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 120 bytes at most, 16696 bytes in 982 allocations
# time: compile _ ms, run _ ms, threads: 1
