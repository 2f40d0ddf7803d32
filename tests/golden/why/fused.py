# RUN: why
# Passes made the call a part of a kernel: the program that runs has no such call, and copies nothing.
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
# remark[E0394]: `v` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> fused.py:22:13
#    |
# 18 |     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#    |              - a borrowed parameter
# 19 |         cls = Module
# 20 |         t = R.negative(x)
#    |             ------------- part of the same kernel
# 21 |         u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |             ------------------------------------------------------------------------------------------------- part of the same kernel
# 22 |         v = R.add(u, t)
#    |             ^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0392]: `t` is elided: the call is part of the kernel of line 22, which keeps no `t`
#   --> fused.py:21:13
#    |
# 21 |         u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 22 |         v = R.add(u, t)
#    |             ----------- the kernel that it is part of
#    |
#    = note: IP001 in `main`: output 0 in argument 0, 16 bytes
#
# fresh: 1, elided: 1
# saved: 0 bytes, missed: 16 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
# what-if: donate `x` of `main`: 16 bytes
