# RUN: run --check --dim n=3 --in x=iota --in y=iota
# A fused module gives the numbers of the script: x is updated in place in reverse order of what is computed from it, a
# matmul takes what follows along, a column spreads over rows, and a value is read twice.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def mirror(a: T.Buffer(("n", 4), "float32"), b: T.Buffer(("n", 4), "float32")):
        n = T.int64()
        for i, j in T.grid(n, 4):
            with T.sblock("mirror"):
                vi, vj = T.axis.remap("SS", [i, j])
                a[vi, vj] = a[vi, vj] - b[vi, 3 - vj]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4, 2), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        with R.dataflow():
            a = R.multiply(x, R.const(2, "float32"))
            b = R.call_tir_inplace(cls.mirror, (x, a), out_ty=R.Tensor((n, 4), "float32"), inplace_indices=[0])
            c = R.matmul(b, y)
            d = R.nn.relu(R.subtract(c, R.const(-70, "float32")))
            e = R.max(d, axis=[1], keepdims=True)
            f = R.add(R.multiply(d, d), e)
            R.output(f)
        return f
# OUT:
# result: (3, 2) float32
# [[6806. 5858.]
#  [1190.  178.]
#  [   0.    0.]]
