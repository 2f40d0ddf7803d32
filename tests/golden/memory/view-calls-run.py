# RUN: run --check --in x=8xf32=0,1,2,3,4,5,6,7
# Views at odd offsets, read and updated by kernels with vectors.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer((5,), "float32")):
        for i in range(5):
            with T.sblock("neg"):
                v_i = T.axis.spatial(5, i)
                a[v_i] = T.float32(0) - a[v_i]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[1], end=[6])
        k = R.call_tir_inplace(cls.neg, (v,), out_ty=R.Tensor((5,), "float32"), inplace_indices=[0])
        w = R.strided_slice(x, axes=[0], begin=[3], end=[8])
        s = R.sum(w, keepdims=True)
        return (k, s)
# OUT:
# result.0: (5,) float32
# [1. 2. 3. 4. 5.]
# result.1: (1,) float32
# [25.]
