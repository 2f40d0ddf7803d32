# RUN: why --skip=FuseOps,FuseTIR
# What is missed stands first. Each edit of what-if was made on a copy of the script and decided again: donated, `x` is
# taken over by `t`; moved in front of the update, which keeps three elements, the sum leaves one copy less.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def first(A: T.Buffer((4,), "float32")):
        with T.sblock("first"):
            A[0] = A[0] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        t = R.negative(x)
        u = R.call_tir_inplace(cls.first, (t,), inplace_indices=[0], out_ty=R.Tensor((4,), dtype="float32"))
        w = R.sum(t)
        v = R.add(u, w)
        return v
# OUT:
# remark[E0394]: `t` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> totals.py:19:13
#    |
# 17 |     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), dtype="float32"):
#    |              - a borrowed parameter
# 18 |         cls = Module
# 19 |         t = R.negative(x)
#    |             ^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0391]: `t` is copied before the call: `t` is read after the call, on line 21
#   --> totals.py:20:13
#    |
# 20 |         u = R.call_tir_inplace(cls.first, (t,), inplace_indices=[0], out_ty=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 21 |         w = R.sum(t)
#    |             -------- read here, after the update
#    |
#    = note: IP001 in `main`: output 0 in argument 0, 16 bytes
#    = help: move the read in front of the update, or keep the copy (16 bytes per run)
#
# remark[E0393]: `v` is made in the storage of `u`: every condition holds
#   --> totals.py:22:13
#    |
# 22 |         v = R.add(u, w)
#    |             ^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 16 bytes
#
# in-place: 1, copy: 1, fresh: 1
# saved: 16 bytes, missed: 32 bytes
# missed by IP001, the argument is read after the call: 1, 16 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
# what-if: donate `x` of `main`: 16 bytes
# what-if: move the read on line 21 in front of line 20: 16 bytes
