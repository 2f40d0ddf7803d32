# RUN: run --check --dim n=0 --in y=iota
# A shape that fits for n = 0 alone, where n is 0.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((2, 4), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.reshape(y, (8,))
            b = R.reshape(a, (n + 2, 4))
            c = R.concat((x, b), axis=0)
            R.output(c)
        return c
# OUT:
# result: (2, 4) float32
# [[0. 1. 2. 3.]
#  [4. 5. 6. 7.]]
