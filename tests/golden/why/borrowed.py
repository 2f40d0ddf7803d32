# RUN: why
# A parameter that is not donated is never overwritten.
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
        u = R.call_tir_inplace(cls.inc, (x,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
        return u
# OUT:
# remark[E0397]: the call runs out of place, without a copy of `x`: the storage of `x` belongs to the caller of the function
#   --> borrowed.py:20:13
#    |
# 18 |     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#    |              - a borrowed parameter
# 19 |         cls = Module
# 20 |         u = R.call_tir_inplace(cls.inc, (x,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# fresh: 1
# saved: 0 bytes, missed: 16 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
# what-if: donate `x` of `main`: 16 bytes
