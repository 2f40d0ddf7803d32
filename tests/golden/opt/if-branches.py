# RUN: opt
# Both branches of an if bind the same name, whose type is what they have in common.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        if c:
            y = R.add(x, x)
        else:
            z = R.multiply(x, x)
            y = R.negative(z)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#         if c:
#             y: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
#         else:
#             z: R.Tensor((2, 3), dtype="float32") = R.multiply(x, x)
#             y: R.Tensor((2, 3), dtype="float32") = R.negative(z)
#         return y
