# RUN: run --in x=4xf32=1,2,-3,0.5
# Marks for those who take gradients compute nothing: what stands between them runs, and what they name keeps its value
# beside an update in place.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def twice(a: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.block("twice"):
                vi = T.axis.spatial(T.int64(4), i)
                a[vi] = a[vi] + a[vi]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")):
        cls = Module
        with R.dataflow():
            a = R.grad.start_checkpoint(R.add(x, x))
            b = R.grad.no_grad(a)
            c = R.call_tir_inplace(cls.twice, (a,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
            d = R.grad.end_checkpoint(R.subtract(c, b))
            e = R.divide(d, x)
            R.output(e)
        return e
# OUT:
# result: (4,) float32
# [2. 2. 2. 2.]
