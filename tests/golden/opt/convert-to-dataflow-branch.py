# RUN: opt --check-each -p 'ConvertToDataflow'
# Only what stands in a branch changes: that counts as a change.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        if c:
            a = R.exp(x)
            b = R.negative(a)
            y = R.add(a, b)
        else:
            y = x
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         if c:
#             with R.dataflow():
#                 a: R.Tensor((4,), dtype="float32") = R.exp(x)
#                 b: R.Tensor((4,), dtype="float32") = R.negative(a)
#                 y_1: R.Tensor((4,), dtype="float32") = R.add(a, b)
#                 R.output(y_1)
#             y: R.Tensor((4,), dtype="float32") = y_1
#         else:
#             y: R.Tensor((4,), dtype="float32") = x
#         return y
