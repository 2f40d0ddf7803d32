# FAIL(4): run --check -p ToMixedPrecision,debug --in x=2x3xf32=0.1,0.2,0.3,0.4,0.5,0.6 --in w=ones
# Half precision moves the sums by more than float32 may: the halves nearest to 0.1, 0.2 and 0.3 add up to 0.5999756.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        y = R.matmul(x, w)
        return y
# OUT:
# error[E0811]: the passes changed the result: value 0 is 0.599975586 in element 0, not 0.600000024
#   --> check-rounding.py:10:9
#    |
# 10 |     def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 2), "float32")) -> R.Tensor((2, 2), "float32"):
#    |         ^^^^
#
