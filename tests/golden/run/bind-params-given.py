# RUN: run --check -p 'BindParams(file=weights.npz),BindSymbolicVars(dims="n=1"),default' --in x=iota
# What passes bind is not asked for: w and b come from the file, n from the option, k from w. [0 1] @ [[1 2 3] [4 5 6]] + [10 20 30].
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor(("k", "m"), "float32"), b: R.Tensor(("m",), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            z = R.zeros(R.shape([n, m]), "float32")
            y = R.matmul(x, w)
            v = R.add(y, b)
            u = R.add(v, z)
            R.output(u)
        return u
# OUT:
# result: (1, 3) float32
# [[14. 25. 36.]]
