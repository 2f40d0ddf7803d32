# RUN: run FILE -p LegalizeOps,ToNonDataflow,InplaceCalls,CallTIRRewrite,KillAfterLastUse --in x=5xf32=1,2,3,4,5 --stats
# Where nothing asks for it, too: shifted upwards, in the storage of what is shifted.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shifted(x: T.Buffer((5,), "float32"), y: T.Buffer((5,), "float32")):
        for i in range(5):
            y[i] = T.if_then_else(i < 1, T.float32(9), x[T.max(i - 1, 0)])

    @R.function
    def main(x: R.Tensor((5,), "float32")):
        cls = Module
        with R.dataflow():
            t = R.add(x, x)
            y = R.call_tir(cls.shifted, (t,), out_ty=R.Tensor((5,), "float32"))
            R.output(y)
        return y
# OUT:
# result: (5,) float32
# [9. 2. 4. 6. 8.]
# in place: 1, copies: 0 (0 bytes), fresh: 0, views: 0
# memory: 20 bytes at most, 20 bytes in 0 allocations
# time: compile _ ms, run _ ms, threads: 1
