# RUN: opt
# A name that is bound again is a new value; the printer tells them apart.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    x = R.add(x, x)
    y = x
    x = R.multiply(x, y)
    return x
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#     x_1: R.Tensor((4,), dtype="float32") = R.add(x, x)
#     y: R.Tensor((4,), dtype="float32") = x_1
#     x_2: R.Tensor((4,), dtype="float32") = R.multiply(x_1, y)
#     return x_2
