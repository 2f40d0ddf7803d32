# RUN: run --in x=5xf32=1,2,3,4,5
# A split loop whose last part is cut by T.where; a strided loop; a loop from a minimum.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def cut(a: T.Buffer((5,), "float32"), b: T.Buffer((5,), "float32")):
        for i0, i1 in T.grid(2, 4):
            with T.sblock("double"):
                v = T.axis.spatial(5, i0 * 4 + i1)
                T.where(i0 * 4 + i1 < 5)
                T.reads(a[v])
                T.writes(b[v])
                b[v] = a[v] * T.float32(2)
        for i in range(1, 5, 2):
            b[i] = b[i] + T.float32(100)
        for i in range(3, 5):
            b[i] = b[i] + T.float32(1000)

    @R.function
    def main(x: R.Tensor((5,), "float32")) -> R.Tensor((5,), "float32"):
        cls = Module
        y = R.call_tir(cls.cut, (x,), out_ty=R.Tensor((5,), "float32"))
        return y
# OUT:
# result: (5,) float32
# [   2.  104.    6. 1108. 1010.]
