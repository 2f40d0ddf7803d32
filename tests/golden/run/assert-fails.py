# FAIL: run --in x=2xf32=1,-1
# T.assert in a kernel names its message and line.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def root(a: T.Buffer((2,), "float32"), b: T.Buffer((2,), "float32")):
        for i in range(2):
            assert a[i] >= T.float32(0), "a negative number has no root"
            b[i] = T.sqrt(a[i])

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        y = R.call_tir(cls.root, (x,), out_ty=R.Tensor((2,), "float32"))
        return y
# OUT:
# error[E0804]: assertion failed: a negative number has no root
#   --> assert-fails.py:12:13
#    |
# 12 |             assert a[i] >= T.float32(0), "a negative number has no root"
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
