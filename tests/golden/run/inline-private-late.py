# RUN: run --check -p 'default,InlinePrivateFunctions' --in a=4xf32=1,2,3,4 --in b=ones
# The same behind ResolveInplace: what was proved in the bodies holds where they stand now.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def update(x: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] * T.float32(2)

    @R.function
    def main(a: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")):
        x = R.add(a, b)
        y = Module.donates(x, a)
        z = Module.borrows(b)
        t = Module.pair(y, z)
        u = t[0]
        v = R.add(u, b)
        return (v, t)

    @R.function(private=True)
    def donates(x: R.Tensor((4,), "float32"), k: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        y = R.call_tir_inplace(Module.update, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        z = R.add(y, k)
        return z

    @R.function(private=True)
    def borrows(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.call_tir_inplace(Module.update, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        return y

    @R.function(private=True)
    def pair(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        z = R.subtract(x, y)
        w = R.ones(R.shape([4]), "float32")
        v = R.add(z, w)
        return (v, y)
# OUT:
# result.0: (4,) float32
# [ 5.  8. 11. 14.]
# result.1.0: (4,) float32
# [ 4.  7. 10. 13.]
# result.1.1: (4,) float32
# [2. 2. 2. 2.]
