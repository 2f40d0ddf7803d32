# RUN: run --in "x=2x3xi8=1 2 3 4 5 6" --in "y=3xf32=1 2 3"
# A tensor whose dtype is not known shows the symbols of its shape, and is held against them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("m", "n")), y: R.Tensor(("n",))) -> R.Tensor(("n", "m"), "float32"):
        m = T.int64()
        n = T.int64()
        z = R.ones(R.shape([n, m]), "float32")
        return z
# OUT:
# result: (3, 2) float32
# [[1. 1.]
#  [1. 1.]
#  [1. 1.]]
