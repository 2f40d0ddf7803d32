# RUN: run --in "x=2xf32=1 2"
# An annotation that hides what an op gives, of operators, kernels and tuples.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def both(a: T.Buffer((2,), "float32"), b: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.sblock("both"):
                v = T.axis.spatial(2, i)
                b[v] = a[v] + T.float32(1)
                a[v] = a[v] + a[v]

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y: R.Object = R.negative(x)
        z = R.match_cast(y, R.Tensor((2,), "float32"))
        p: R.Object = R.call_tir_inplace(cls.both, (z,), inplace_indices=[0, -1], out_ty=[R.Tensor((2,), "float32"), R.Tensor((2,), "float32")])
        q = R.match_cast(p, R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")))
        r: R.Tensor((2,)) = R.add(z, z)
        s = R.match_cast(r, R.Tensor((2,), "float32"))
        return (z, q, s)
# OUT:
# result.0: (2,) float32
# [-1. -2.]
# result.1.0: (2,) float32
# [-2. -4.]
# result.1.1: (2,) float32
# [ 0. -1.]
# result.2: (2,) float32
# [-2. -4.]
