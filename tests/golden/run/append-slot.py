# RUN: run --in past=3x4:iota --in x=4:iota
# What lies behind the elements of a parameter is its own, and apart from them: both are there behind the update.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(x: T.Buffer((T.int64(4),), "float32"), a: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            a[i] = T.float32(0) - x[i]
    @R.function
    def main(x: R.Tensor((4,), "float32"), past: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [1], "relax.capacity": {"past": 6}})
        cls = Module
        v = R.memory.view(past, R.shape([4]), R.dtype("float32"), n * 16)
        k = R.call_tir_inplace(cls.neg, (x, v), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        s = R.sum(past)
        return (k, s)

# OUT:
# result.0: (4,) float32
# [ 0. -1. -2. -3.]
# result.1: () float32
# 66.
