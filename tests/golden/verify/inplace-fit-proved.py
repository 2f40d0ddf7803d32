# RUN: check
# Equal shapes are proved, not compared as text.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def flip(handle: T.handle):
        n = T.int64()
        a = T.match_buffer(handle, (n,), "float32")
        for i in range(n):
            with T.sblock("flip"):
                v_i = T.axis.spatial(n, i)
                a[v_i] = T.float32(0) - a[v_i]

    @R.function
    def main(x: R.Tensor(("n * 2",), "float32"), y: R.Tensor(("n",), "float32")) -> R.Tensor(("n + n",), "float32"):
        n = T.int64()
        cls = Module
        a = R.call_tir_inplace(cls.flip, (x,), out_ty=R.Tensor((n + n,), "float32"), inplace_indices=[0])
        return a
# OUT:
