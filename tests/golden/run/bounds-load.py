# FAIL: run --in i=3xi32=0,4,1 --in x=4xf32=1,2,3,4
# An index that comes from data is checked, with the line of the access.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def gather(a: T.Buffer((4,), "float32"), i: T.Buffer((3,), "int32"), b: T.Buffer((3,), "float32")):
        for j in range(3):
            b[j] = a[i[j]]

    @R.function
    def main(x: R.Tensor((4,), "float32"), i: R.Tensor((3,), "int32")) -> R.Tensor((3,), "float32"):
        cls = Module
        y = R.call_tir(cls.gather, (x, i), out_ty=R.Tensor((3,), "float32"))
        return y
# OUT:
# error[E0803]: index 4 is out of range for axis 0 of `a` (extent 4)
#   --> bounds-load.py:12:22
#    |
# 12 |             b[j] = a[i[j]]
#    |                      ^^^^
#
