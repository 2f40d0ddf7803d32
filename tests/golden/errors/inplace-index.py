# FAIL: check
# The index of an in-place output names an argument.
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
        u = R.call_tir_inplace(cls.inc, (x,), inplace_indices=[3], out_sinfo=R.Tensor((4,), dtype="float32"))
        return u
# OUT:
# error[E0305]: `R.call_tir_inplace`: entry 0 is 3, and arguments are 0 to 0
#   --> inplace-index.py:20:64
#    |
# 20 |         u = R.call_tir_inplace(cls.inc, (x,), inplace_indices=[3], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |                                                                ^
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 20 |         u = R.call_tir_inplace(cls.inc, (x,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
#    |                                                                ~
#
