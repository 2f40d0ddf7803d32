# RUN: opt
# The branches join in the name that both end with, with the least type of both.
from tvm.script import relax as R

@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32"), y: R.Tensor((4, 3), "float32")):
    if c:
        a = R.exp(x)
        z = R.negative(a)
    elif R.logical_not(c):
        z = R.exp(y)
    else:
        z = y
    return z
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((4, 3), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2):
#     if c:
#         a: R.Tensor((2, 3), dtype="float32") = R.exp(x)
#         z: R.Tensor((2, 3), dtype="float32") = R.negative(a)
#     else:
#         gv: R.Tensor((), dtype="bool") = R.logical_not(c)
#         if gv:
#             z_1: R.Tensor((4, 3), dtype="float32") = R.exp(y)
#         else:
#             z_1: R.Tensor((4, 3), dtype="float32") = y
#         z: R.Tensor((4, 3), dtype="float32") = z_1
#     return z
