# RUN: why -p ResolveInplace
# A copy is explained by the update, the value and the later read.
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
# remark[E0397]: the call runs out of place, without a copy of `t`: `t` is read after the call, on line 22
#   --> later-read.py:21:13
#    |
# 21 |         u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 22 |         v = R.add(u, t)
#    |             ----------- read here, after the update
#    |
#    = note: IP001 in `main`: output 0 in argument 0, 16 bytes
#    = help: move the read in front of the update, or keep the new storage (16 bytes per run)
#
# fresh: 1
# saved: 0 bytes, missed: 16 bytes
# missed by IP001, the argument is read after the call: 1, 16 bytes
