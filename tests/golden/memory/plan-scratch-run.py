# RUN: run --stats --threads=1 -p LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory
# Scratch of `wide` lies in the piece of storage that values have places in: 24576 bytes, and 4 for the result.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def wide(x: T.Buffer((256,), "float32"), y: T.Buffer((256,), "float32")):
        t = T.alloc_buffer((5632,), "float32")
        for i in range(5632):
            t[i] = x[i % 256] + T.float32(i)
        for i in range(256):
            y[i] = t[i * 22 + 7] - t[i]

    @R.function
    def main(x: R.Tensor((256,), "float32"), m: R.Tensor((8, 256), "float32")) -> R.Tensor((), "float32"):
        cls = Module
        a = R.call_tir(cls.wide, (x,), out_ty=R.Tensor((256,), "float32"))
        b = R.add(m, a)
        c = R.flip(b, axis=0)
        d = R.sum(R.add(c, R.flip(c, axis=1)), axis=[0])
        e = R.call_tir(cls.wide, (d,), out_ty=R.Tensor((256,), "float32"))
        return R.sum(R.add(e, d))
# OUT:
# result: () float32
# 1.16829e+07
# in place: 0, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 24580 bytes at most, 81924 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
