# FAIL: opt -p LegalizeOps,ToNonDataflow,CallTIRRewrite
# Whether an update may be made in place has to be known before.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[v]

    @T.prim_func(private=True)
    def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("both"):
                v = T.axis.spatial(4, i)
                b[v] = a[v] + T.float32(1)
                c[v] = a[v] - T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        b = R.call_tir_inplace(cls.add, (x, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return b
# OUT:
# error[E0905]: `CallTIRRewrite` needs a module that is resolved: pass `ResolveInplace` is missing or comes too late
#  --> <passes>:1:27
#   |
# 1 | LegalizeOps,ToNonDataflow,CallTIRRewrite
#   |                           ^^^^^^^^^^^^^^
#   |
#   = note: the update of `x` on line 28 needs a copy: the storage of `x` belongs to the caller of the function
#   = help: put `ResolveInplace` in front of it in the pipeline
#
