# RUN: plan -p LegalizeOps,CallTIRRewrite,KillAfterLastUse,PlanMemory
# `wide` has 22528 bytes of scratch, which begin behind what is held then: `a` has the first place, though what is larger
# is packed before it elsewhere, so that all comes to the 24576 bytes that values take at once.
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
# main: 9 storages, 24580 bytes (24576 in one piece, 4 apart)
#   bound 24576 bytes: at most 0.02 % too much
#   without reuse 36868 bytes
#   stack: 24576 bytes at most
#   storage  steps             bytes         offset
#   a        [1, 5)            1024          0
#   b        [3, 8)            8192          8192
#   c        [6, 13)           8192          0
#   flip_1   [9, 14)           8192          16384
#   add_1    [11, 17)          8192          8192
#   d        [15, 27)          1024          0
#   e        [18, 23)          1024          1024
#   add_2    [20, 26)          1024          2048
#   sum_1    [24, 28)          4             apart  (result)
