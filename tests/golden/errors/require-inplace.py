# FAIL: opt -p LegalizeOps,InplaceCalls --require-inplace
# Every output with an operand of its type must be in place.
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
# error[E0330]: `t` must be in place, but it has storage of its own: the storage of `x` belongs to the caller of the function
#   --> require-inplace.py:20:13
#    |
# 18 |     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), dtype="float32"):
#    |              - a borrowed parameter
# 19 |         cls = Module
# 20 |         t = R.negative(x)
#    |             ^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#    = note: asked for by `--require-inplace`
#
