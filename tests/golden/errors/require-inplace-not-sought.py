# FAIL: run --require-inplace -p LegalizeOps,ResolveInplace
# Nothing is missed where nobody has looked.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("inc"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        t = R.negative(x)
        u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_ty=R.Tensor((4,), dtype="float32"))
        w = R.multiply(t, y)
        v = R.add(u, w)
        return v
# OUT:
# error[E0334]: `--require-inplace` was given, and no pass has looked for calls that could be in place
#   = help: run a pipeline with the pass `InplaceCalls`, such as `default`, and not with --inplace=off
#
