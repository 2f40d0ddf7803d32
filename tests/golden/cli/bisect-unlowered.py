# FAIL: bisect -p EliminateCommonSubexpr
# Passes are judged one by one; code generation needs more of them.
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
# error[E0905]: `code generation` needs a module that is lowered: pass `LegalizeOps` is missing or comes too late
#   = note: `R.exp` on line 20 has loops that are not written out yet
#   = help: put `LegalizeOps` in front of it in the pipeline
#
