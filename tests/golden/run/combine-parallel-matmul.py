# RUN: run --check -p "CombineParallelMatmul,default" --in x=2x2xf32=1,2,3,4 --in w=2x2xf32=1,0,0,1 --in v=2x3xf32=1,1,1,2,2,2 --in c=2xf32=-3,1 --in d=3xf32=0,-8,10
# relu(x @ w + c) and relu(x @ v + d) out of one product: x @ w is x, x @ v has rows of 5 and 11.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "k"), "float32"), w: R.Tensor(("k", 2), "float32"), v: R.Tensor(("k", "n"), "float32"), c: R.Tensor((2,), "float32"), d: R.Tensor(("n",), "float32")):
        with R.dataflow():
            a = R.matmul(x, v)
            b = R.matmul(x, w)
            e = R.nn.relu(R.add(a, d))
            f = R.nn.relu(R.add(b, c))
            R.output(e, f)
        return (e, f)
# OUT:
# result.0: (2, 3) float32
# [[ 5.  0. 15.]
#  [11.  3. 21.]]
# result.1: (2, 2) float32
# [[0. 3.]
#  [0. 5.]]
