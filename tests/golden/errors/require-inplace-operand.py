# FAIL: why --summary --require-inplace=y --skip=FuseOps,FuseTIR
# A name that no call makes is an operand, whose storage some call must take over.
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
# in-place: 2, fresh: 2
# saved: 32 bytes, missed: 32 bytes
# missed by IP001, the argument is read after the call: 1, 16 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
# what-if: donate `x` of `main`: 16 bytes
# error[E0333]: `y` must be in place, but no call takes its storage over, and none makes it in that of an operand
#
