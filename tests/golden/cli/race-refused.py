# FAIL: race FILE --repeat 2 --pipelines CanonicalizeBindings debug LegalizeOp 'LegalizeOps'
# A pipeline that is refused has its code in its row; the others go on.
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
# pipeline  median  quartiles  least  GFLOP/s  GB/s  of the roof  against the fastest  compile  peak bytes  copies  in place  difference
# CanonicalizeBindings  refused: E0905
# debug  _ ms  _ ms to  _ ms  _ ms  _ GFLOP/s  _ GB/s _ %  _  _ ms  96  0  1  0
# LegalizeOp  refused: E0901
# LegalizeOps  refused: E0314
# _ rounds; results held against the script's, as the interpreter computes it
# on _
# error[E0314]: the in-place call on `a` is not resolved
#   --> race-refused.py:21:13
#    |
# 21 |         b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: `a` is read after the call, on line 22
#    = help: add the pass `ResolveInplace` as the last of the pipeline
#
# error[E0901]: there is no pass or pipeline `LegalizeOp`
#  --> <passes>:1:1
#   |
# 1 | LegalizeOp
#   | ^^^^^^^^^^
#   |
#   = help: near to it: `LegalizeOps`
#   = help: `inlay list passes` and `inlay list pipelines` show all names
#
# error[E0905]: `code generation` needs a module that is lowered: pass `LegalizeOps` is missing or comes too late
#   = note: `R.exp` on line 20 has loops that are not written out yet
#   = help: put `LegalizeOps` in front of it in the pipeline
#
