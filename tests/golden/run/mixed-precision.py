# RUN: run -p "ToMixedPrecision,default" --check --in x=2x2xf32=1,2,3,4 --in w=2x2xf32=1,-1,0.5,2
# Whole numbers and halves survive float16; 4096 + 1 is none, but the sum is taken in float32.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), "float32"), w: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            b = R.nn.relu(a)
            c = R.matmul(b, w)
            d = R.sum(c)
            e = R.matmul(R.const([[4096.0, 1.0]], "float32"), R.const([[1.0], [1.0]], "float32"))
            R.output(b, d, e)
        return (b, d, e)
# OUT:
# result.0: (2, 2) float32
# [[2. 3.]
#  [5. 5.]]
# result.1: () float32
# 20.
# result.2: (1, 1) float32
# [[4097.]]
