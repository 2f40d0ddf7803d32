# RUN: opt -p '@passes.txt, DeadCodeElimination'
# Passes from a file: one a line or with commas, comments, fixed points, files in files.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        b = a
        c = R.exp(b)
        d = R.exp(a)
        e = R.add(c, d)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         c: R.Tensor((4,), dtype="float32") = R.exp(a)
#         e: R.Tensor((4,), dtype="float32") = R.add(c, c)
#         return e
