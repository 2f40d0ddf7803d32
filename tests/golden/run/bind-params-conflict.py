# FAIL: run -p 'BindParams(file="weights.npz"),default' --in x=1x2xf32=1,2 --in w=2x3xf32=1,2,3,4,5,7
# The compiled function would not use the w that is given: it is not that of the file.
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
# error[E0718]: input `w` is not what BindParams takes from `weights.npz`: value 0 differs in element 5
#   --> bind-params-conflict.py:11:50
#    |
# 11 |     def main(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor(("k", "m"), "float32"), b: R.Tensor(("m",), "float32")) -> R.Tensor(("n", "m"), "float32"):
#    |                                                  ^ parameter of `main`
#
