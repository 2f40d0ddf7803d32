# FAIL: run --in "x=4xf32=1 2 3 4" --in "i=i64=4"
# An index out of range is an error of the script, with its line.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def pick(A: T.Buffer((4,), "float32"), P: T.Buffer((), "int64"), B: T.Buffer((1,), "float32")):
        B[0] = A[P[()]]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), i: R.Tensor((), dtype="int64")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.pick, (x, i), out_sinfo=R.Tensor((1,), dtype="float32"))
        return y
# OUT:
# error[E0803]: index 4 is out of range for axis 0 of `A` (extent 4)
#   --> kernel-bounds.py:12:18
#    |
# 12 |         B[0] = A[P[()]]
#    |                  ^^^^^
#
