# RUN: run FILE -p LegalizeOps,InplaceCalls,ResolveInplace,CallTIRRewrite,KillAfterLastUse --in x=4xf32=1,2,3,4 --in z=4xf32=5,6,7,8 --in m=2x2xf32=1,2,3,4
# Loads of the old value that are stored elsewhere (scratch), of another value, and to another place are no copies onto themselves.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def turned(a: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
        kept = T.sblock_alloc_buffer((4,))
        for i in range(4):
            kept[i] = a[i]
        for i in range(4):
            o[i] = a[i]
        for i in range(2):
            o[i] = kept[3 - i]

    @T.prim_func(private=True, s_tir=True)
    def fill(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), o: T.Buffer((4,), "float32")):
        for i in range(4):
            o[i] = a[i]
        for i in range(2):
            o[i] = b[i]

    @T.prim_func(private=True, s_tir=True)
    def transposed(a: T.Buffer((2, 2), "float32"), o: T.Buffer((2, 2), "float32")):
        kept = T.sblock_alloc_buffer((2, 2))
        for i, j in T.grid(2, 2):
            kept[i, j] = a[j, i]
        for i, j in T.grid(2, 2):
            o[i, j] = kept[i, j]

    @R.function
    def main(x: R.Tensor((4,), "float32"), z: R.Tensor((4,), "float32"), m: R.Tensor((2, 2), "float32")):
        R.func_attr({"relax.inplace_arg": [2]})
        cls = Module
        y = R.call_tir_inplace(cls.turned, (x, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        w = R.call_tir_inplace(cls.fill, (x, z, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[2])
        v = R.call_tir_inplace(cls.fill, (x, z, z), out_ty=R.Tensor((4,), "float32"), inplace_indices=[2])
        t = R.call_tir_inplace(cls.transposed, (m, m), out_ty=R.Tensor((2, 2), "float32"), inplace_indices=[1])
        return (y, w, v, t)
# OUT:
# result.0: (4,) float32
# [4. 3. 3. 4.]
# result.1: (4,) float32
# [5. 6. 3. 4.]
# result.2: (4,) float32
# [5. 6. 3. 4.]
# result.3: (2, 2) float32
# [[1. 3.]
#  [2. 4.]]
