# RUN: opt -p Normalize --check-each
# Nothing to do: an annotation that says less than is known was meant.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a: R.Tensor(ndim=1) = R.add(x, x)
            R.output(a)
        b = R.exp(a)
        return b
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor(ndim=1):
#         with R.dataflow():
#             lv: R.Tensor((4,), dtype="float32") = R.add(x, x)
#             a: R.Tensor(ndim=1) = lv
#             R.output(a)
#         b: R.Tensor(ndim=1) = R.exp(a)
#         return b
