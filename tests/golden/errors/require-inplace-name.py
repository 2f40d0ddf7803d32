# FAIL: run --require-inplace=w,u --skip=FuseOps,FuseTIR
# `w` is made in the storage of `t`; `u` works on a copy.
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
# error[E0330]: `u` must be in place, but it has storage of its own: `t` is read after the call, on line 22
#   --> require-inplace-name.py:21:13
#    |
# 21 |         u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_ty=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 22 |         w = R.multiply(t, y)
#    |             ---------------- read here, after the update
#    |
#    = note: IP001 in `main`: output 0 in argument 0, 16 bytes
#    = help: move the read in front of the update, or keep the new storage (16 bytes per run)
#    = note: asked for by `--require-inplace`
#
