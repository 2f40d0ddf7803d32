# RUN: run --threads 1 --stats --dim n=200000 --in x=ones
# One thread runs parallel loops alone: none is started.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(x_: T.handle, out_: T.handle):
        n = T.int64()
        x = T.match_buffer(x_, (n,), "float32")
        out = T.match_buffer(out_, (n,), "float32")
        for i in T.parallel(n):
            out[i] = x[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((n,), "float32"))
        return y
# OUT:
# result: (200000,) float32
# [2. 2. 2. ... 2. 2. 2.]
# min 2, max 2, mean 2
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 800000 bytes at most, 800000 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
