# FAIL: check
# A kernel takes as many buffers as it has.
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
        u = R.call_tir_inplace(cls.inc, (x, x), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
        return u
# OUT:
# error[E0511]: `inc` takes 1 argument, and the call gives 2
#   --> kernel-arity.py:20:41
#    |
# 11 |     def inc(A: T.Buffer((4,), "float32")):
#    |         --- defined here
# ...
# 20 |         u = R.call_tir_inplace(cls.inc, (x, x), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |                                         ^^^^^^
#
