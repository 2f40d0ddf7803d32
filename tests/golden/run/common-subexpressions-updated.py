# RUN: run -p LegalizeOps,ResolveInplace,EliminateCommonSubexpr --in "x=4xf32=0 1 2 3" --check
# Common subexpressions behind ResolveInplace leave its copies apart: two copies of `x`, both updated in place.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] * T.float32(2)

    @T.prim_func(private=True)
    def next(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir_inplace(cls.double, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            b = R.call_tir_inplace(cls.next, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            c = R.exp(x)
            d = R.exp(x)
            e = R.call_tir_inplace(cls.next, (c,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            f = R.tanh(x)
            g = R.tanh(x)
            h = R.add(f, g)
            i = R.add(d, h)
            R.output(a, b, e, i)
        return (a, b, e, i)
# OUT:
# result.0: (4,) float32
# [0. 2. 4. 6.]
# result.1: (4,) float32
# [1. 2. 3. 4.]
# result.2: (4,) float32
# [     2. 3.71828 8.38906 21.0855]
# result.3: (4,) float32
# [     1. 4.24147 9.31711 22.0756]
