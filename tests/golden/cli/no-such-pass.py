# FAIL: opt -p LegalizeOp
# A wrong pass is answered with the nearest.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("inc"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        t = R.negative(x)
        u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
        v = R.add(u, t)
        return v
# OUT:
# error[E0901]: there is no pass or pipeline `LegalizeOp`
#  --> <passes>:1:1
#   |
# 1 | LegalizeOp
#   | ^^^^^^^^^^
#   |
#   = help: near to it: `LegalizeOps`
#   = help: `inlay list passes` and `inlay list pipelines` show all names
#
