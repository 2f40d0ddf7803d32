# FAIL: check
# An axis of scales that the tensor does not have is found before anything runs.
from tvm.script import relax as R

@R.function
def main(w: R.Tensor((4, 3), "int8"), s: R.Tensor((3,), "float32"), x: R.Tensor((4, 3), "float32")):
    zero = R.const(0, "int8")
    a = R.dequantize(w, s, zero, axis=5, out_dtype="float32")
    b = R.quantize(x, s, zero, axis=-3, out_dtype="int8")
    return (a, b)
# OUT:
# error[E0606]: `R.dequantize`: axis 5 does not exist in a tensor of rank 2
#  --> quantize-axis.py:8:39
#   |
# 8 |     a = R.dequantize(w, s, zero, axis=5, out_dtype="float32")
#   |                                       ^
#   |
# help: its axes are 0 to 1, or -2 to -1
#   |
# 8 |     a = R.dequantize(w, s, zero, axis=1, out_dtype="float32")
#   |                                       ~
#
# error[E0606]: `R.quantize`: axis -3 does not exist in a tensor of rank 2
#  --> quantize-axis.py:9:37
#   |
# 9 |     b = R.quantize(x, s, zero, axis=-3, out_dtype="int8")
#   |                                     ^^
#   |
# help: its axes are 0 to 1, or -2 to -1
#   |
# 9 |     b = R.quantize(x, s, zero, axis=0, out_dtype="int8")
#   |                                     ~
#
