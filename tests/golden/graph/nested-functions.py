# RUN: opt
# A nested function sees the values around it, and itself.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    s = R.exp(x)

    @R.function
    def scale(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        z = R.multiply(y, s)
        return z

    @R.function
    def again(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        z = again(scale(y))
        return z

    return again(x)
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#     s: R.Tensor((4,), dtype="float32") = R.exp(x)
#     @R.function
#     def scale(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         z: R.Tensor((4,), dtype="float32") = R.multiply(y, s)
#         return z
#
#     @R.function
#     def again(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         gv: R.Tensor((4,), dtype="float32") = scale(y)
#         z: R.Tensor((4,), dtype="float32") = again(gv)
#         return z
#
#     gv: R.Tensor((4,), dtype="float32") = again(x)
#     return gv
