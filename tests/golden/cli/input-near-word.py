# FAIL: run --in x=rand --in y=zreos
# The word that is meant is named.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
    z = R.add(x, y)
    return z
# OUT:
# error[E0707]: input `x`: cannot read `rand`: it is no @FILE, random, zeros, ones, iota, number, true, false or 2x3xf32=1 2 .. (`random`, perhaps)
#  --> input-near-word.py:7:10
#   |
# 7 | def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
#   |          ^ parameter of `main`
#
# error[E0707]: input `y`: cannot read `zreos`: it is no @FILE, random, zeros, ones, iota, number, true, false or 2x3xf32=1 2 .. (`zeros`, perhaps)
#  --> input-near-word.py:7:40
#   |
# 7 | def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
#   |                                        ^ parameter of `main`
#
