# RUN: plan -p LegalizeOps,InplaceCalls,CallTIRRewrite,KillAfterLastUse,PlanMemory
# A result of 192 bytes is made in the 256 of a value that dies where the function holds less for it (`peak`), not where it holds most
# earlier (`earlier`): what leaves would be 64 bytes more than it is, for nothing.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def spread(a: T.Buffer((64,), "float32"), out: T.Buffer((4, 64), "float32")):
        for i, j in T.grid(4, 64):
            out[i, j] = a[j]

    @T.prim_func(private=True, s_tir=True)
    def column_sums(a: T.Buffer((4, 64), "float32"), out: T.Buffer((64,), "float32")):
        for i, j in T.grid(64, 4):
            if j == 0:
                out[i] = T.float32(0)
            out[i] = out[i] + a[3 - j, 63 - i]

    @T.prim_func(private=True, s_tir=True)
    def most(a: T.Buffer((64,), "float32"), out: T.Buffer((48,), "float32")):
        for i in range(48):
            out[i] = a[i]

    @R.function
    def earlier(x: R.Tensor((64,), "float32")) -> R.Tensor((48,), "float32"):
        cls = Module
        m = R.call_tir(cls.spread, (x,), out_ty=R.Tensor((4, 64), "float32"))
        t = R.call_tir(cls.column_sums, (m,), out_ty=R.Tensor((64,), "float32"))
        r = R.call_tir(cls.most, (t,), out_ty=R.Tensor((48,), "float32"))
        return r

    @R.function
    def peak(x: R.Tensor((64,), "float32")) -> R.Tensor((48,), "float32"):
        cls = Module
        t = R.negative(x)
        r = R.call_tir(cls.most, (t,), out_ty=R.Tensor((48,), "float32"))
        return r
# OUT:
# earlier: 3 storages, 1280 bytes
#   bound 1280 bytes: no plan of these is lower
#   without reuse 1472 bytes
#   stack: 0 bytes at most
#   storage  steps             bytes         offset
#   m        [1, 5)            1024          0
#   t        [3, 8)            256           1024
#   r        [6, 9)            192           0  (result)
#
# peak: 1 storage, 256 bytes
#   bound 256 bytes: no plan of these is lower
#   without reuse 448 bytes, of which 192 are saved in place
#   stack: 0 bytes at most
#   storage  steps             bytes         offset
#   t        [0, 4)            256           apart  (result)  then r
