# RUN: run --check --in x=iota
# A million iterations are not written out, whatever the author says: code of gigabytes would come of it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def turns(x: T.Buffer((8,), "int32"), y: T.Buffer((8,), "int32")):
        for i in range(8):
            y[i] = 0
        for i in T.unroll(1000000):
            y[i % 8] = y[i % 8] + x[i % 8]

    @R.function
    def main(x: R.Tensor((8,), "int32")):
        cls = Module
        y = R.call_tir(cls.turns, (x,), out_ty=R.Tensor((8,), "int32"))
        return y
# OUT:
# result: (8,) int32
# [     0 125000 250000 375000 500000 625000 750000 875000]
