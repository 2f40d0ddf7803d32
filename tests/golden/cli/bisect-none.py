# RUN: bisect -p 'fix(EliminateCommonSubexpr), debug' --in x=4xf32=1,2,3,4
# Every pass keeps the result, also in each round of a fixed point, and so does the code.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = R.exp(x)
        b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.subtract(b, a)
        d = R.call_tir_inplace(cls.double, (c,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return d
# OUT:
#   1  EliminateCommonSubexpr       no change
#   2  LegalizeOps                  not asked
#   3  ResolveInplace               not asked
#   4  ToNonDataflow                no change
#   5  CallTIRRewrite               not asked
#   6  KillAfterLastUse             the same
#      compiled code                the same
