# RUN: why FILE u
# A view of the value that is read later is an alias of it.
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
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        cls = Module
        t = R.negative(x)
        w = R.reshape(t, (2, 2))
        u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
        v = R.reshape(u, (2, 2))
        z = R.add(v, w)
        return z
# OUT:
# remark[E0397]: the call runs out of place, without a copy of `t`: `w` lives in the storage of `t` and is read after the call, on line 24
#   --> view.py:22:13
#    |
# 21 |         w = R.reshape(t, (2, 2))
#    |         - `w` is a view of the same storage
# 22 |         u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 23 |         v = R.reshape(u, (2, 2))
# 24 |         z = R.add(v, w)
#    |             ----------- read here through `w`
#    |
#    = note: IP002 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0395]: `v` is a view of `u`: its elements are a run of those of `u`: nothing is moved
#   --> view.py:23:13
#    |
# 23 |         v = R.reshape(u, (2, 2))
#    |             ^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 of argument 0, 16 bytes
#
# fresh: 1, view: 1
# saved: 16 bytes, missed: 16 bytes
# missed by IP002, another name of the same storage is read after the call: 1, 16 bytes
