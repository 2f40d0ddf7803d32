# FAIL: check --inplace=strict
# Strict in-place shows the update and the later read.
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
# error[E0301]: `t` cannot be updated in place: `t` is read after the call, on line 22
#   --> strict.py:21:13
#    |
# 21 |         u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ output 0 is to take the storage of `t`
# 22 |         v = R.add(u, t)
#    |             ----------- read here, after the update
#    |
#    = note: the argument is read after the call [IP001]; --inplace=strict allows no copy
#    = help: move the read in front of the update, or keep the copy (16 bytes per run)
# help: if the new numbers are meant there, read `u`
#    |
# 22 |         v = R.add(u, u)
#    |                      ~
#
