# RUN: run --check --tolerance 1e-3 -p ToMixedPrecision,debug --in x=2x3xf32=0.1,0.2,0.3,0.4,0.5,0.6 --in w=ones
# ... but not by more than what is allowed here.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        y = R.matmul(x, w)
        return y
# OUT:
# result: (2, 2) float32
# [[0.599976 0.599976]
#  [     1.5      1.5]]
