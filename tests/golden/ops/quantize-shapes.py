# FAIL: check
# Scales and zero points are single numbers, or one for each place along the axis.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "int8"), y: R.Tensor((4, 8), "float32"), s: R.Tensor((3,), "float32"), t: R.Tensor((8,), "float32"), z: R.Tensor((7,), "int8")):
        a = R.dequantize(x, s, z, axis=1)
        b = R.dequantize(x, t, z, axis=1)
        c = R.quantize(y, s, z, axis=0, out_dtype="int8")
        return (a, b, c)
# OUT:
# error[E0610]: `R.dequantize`: dimension 1 of `data` is 8, but the length of `scale` is 3
#   --> quantize-shapes.py:11:29
#    |
# 11 |         a = R.dequantize(x, s, z, axis=1)
#    |                             ^
#    |
#    = note: it is as long, or 1: one for all
#
# error[E0610]: `R.dequantize`: dimension 1 of `data` is 8, but the length of `zero_point` is 7
#   --> quantize-shapes.py:12:32
#    |
# 12 |         b = R.dequantize(x, t, z, axis=1)
#    |                                ^
#    |
#    = note: it is as long, or 1: one for all
#
# error[E0610]: `R.quantize`: dimension 0 of `data` is 4, but the length of `scale` is 3
#   --> quantize-shapes.py:13:27
#    |
# 13 |         c = R.quantize(y, s, z, axis=0, out_dtype="int8")
#    |                           ^
#    |
#    = note: it is as long, or 1: one for all
#
