# FAIL: run --in x=4xf32=1,2,3,4
# A matched region must lie in its source.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def look(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("pair"):
                vi = T.axis.spatial(3, i)
                T.reads(a[vi:vi + 2])
                T.writes(b[vi * 2:vi * 2 + 2])
                B = T.match_buffer(b[vi * 2:vi * 2 + 2], (2,), "float32", offset_factor=1)
                B[0] = a[vi]
                B[1] = a[vi + 1]

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.look, (x,), out_ty=R.Tensor((4,), "float32"))
        return y
# OUT:
# error[E0803]: the region from 4 with extent 2 is out of range for axis 0 of `b` (extent 4)
#   --> bounds-match.py:12:13
#    |
# 12 |             with T.sblock("pair"):
#    |             ^^^^^^^^^^^^^^^^^^^^^^
#
