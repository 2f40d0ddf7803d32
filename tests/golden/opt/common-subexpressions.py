# RUN: opt -p EliminateCommonSubexpr
# The second of two equal operations becomes a use of the first.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        a = R.add(x, x)
        b = R.add(x, x)
        c = R.multiply(a, b)
        return c
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         c: R.Tensor((4,), dtype="float32") = R.multiply(a, a)
#         return c
