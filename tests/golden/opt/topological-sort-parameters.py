# RUN: opt -p TopologicalSort
# Ties go by the parameters: what reads b1 comes before what reads b2.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32"), b1: R.Tensor((4,), "float32"), b2: R.Tensor((4,), "float32")):
        with R.dataflow():
            c2 = R.add(a, b2)
            c1 = R.add(a, b1)
            d = R.add(c1, c2)
            R.output(d)
        return d
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32"), b1: R.Tensor((4,), dtype="float32"), b2: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             c1: R.Tensor((4,), dtype="float32") = R.add(a, b1)
#             c2: R.Tensor((4,), dtype="float32") = R.add(a, b2)
#             d: R.Tensor((4,), dtype="float32") = R.add(c1, c2)
#             R.output(d)
#         return d
