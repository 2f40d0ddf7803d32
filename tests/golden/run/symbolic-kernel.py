# RUN: run --in x=5xf32=1,2,3,4,5 --in i=2xi64=4,0
# Symbols of kernels, int32 and int64, take their values from the arguments; scalars are passed.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def shift(var_a: T.handle, by: T.int64, var_b: T.handle):
        n = T.int32()
        a = T.match_buffer(var_a, (n,), "float32")
        b = T.match_buffer(var_b, (n * 2,), "float32")
        for i in range(n * 2):
            b[i] = T.if_then_else(i < n, a[T.min(i, n - 1)], T.Cast("float32", by))

    @R.function
    def main(x: R.Tensor(("n",), "float32"), i: R.Tensor((2,), "int64")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.shift, (x, n), out_ty=R.Tensor((n * 2,), "float32"))
        z = R.take(y, i, axis=0)
        return (y, z)
# OUT:
# result.0: (10,) float32
# [1. 2. 3. 4. 5. 5. 5. 5. 5. 5.]
# result.1: (2,) float32
# [5. 1.]
