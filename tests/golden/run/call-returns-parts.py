# RUN: run --in x=16xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
# A function returns two halves of what it made beside all of it: in the caller the halves are apart, and one is updated in place.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def addto(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = b[i] + a[i]

    @T.prim_func(private=True)
    def shift(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(7):
            b[i + 1] = a[i] * T.float32(2)

    @R.function(private=True)
    def cut(z: R.Tensor((16,), "float32")) -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"), R.Tensor((16,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        w = R.multiply(z, z)
        a = R.memory.view(w, R.shape([8]), R.dtype("float32"), 0)
        b = R.memory.view(w, R.shape([8]), R.dtype("float32"), 32)
        return (a, b, w)

    @R.function
    def main(x: R.Tensor((16,), "float32")):
        cls = Module
        t = cls.cut(x)
        u = R.call_tir_inplace(cls.addto, (t[0], t[1]), out_ty=R.Tensor((8,), "float32"), inplace_indices=[1])
        t2 = cls.cut(x)
        w = R.call_tir_inplace(cls.shift, (t2[1], t2[0]), out_ty=R.Tensor((8,), "float32"), inplace_indices=[1])
        return (u, t[2], w)
# OUT:
# result.0: (8,) float32
# [ 82. 104. 130. 160. 194. 232. 274. 320.]
# result.1: (16,) float32
# [  1.   4.   9.  16.  25.  36.  49.  64.  81. 100. 121. 144. 169. 196. 225. 256.]
# result.2: (8,) float32
# [  1. 162. 200. 242. 288. 338. 392. 450.]
