# RUN: why FILE w --skip=FuseOps,FuseTIR
# All on one value, as operand and as result, and the totals of it; what-if is about all values.
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
# remark[E0393]: `w` is made in the storage of `t`: every condition holds
#   --> one-value.py:22:13
#    |
# 22 |         w = R.multiply(t, y)
#    |             ^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 16 bytes
#
# in-place: 1
# saved: 16 bytes, missed: 0 bytes
