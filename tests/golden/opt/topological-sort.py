# RUN: opt -p TopologicalSort
# Depth-first from the inputs: b1 and what reads it, then b2.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        with R.dataflow():
            b1 = R.add(a, R.const(1.0, "float32"))
            b2 = R.add(a, R.const(2.0, "float32"))
            c1 = R.add(a, b1)
            c2 = R.add(a, b2)
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
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             b1: R.Tensor((4,), dtype="float32") = R.add(a, R.const(1.0, "float32"))
#             c1: R.Tensor((4,), dtype="float32") = R.add(a, b1)
#             b2: R.Tensor((4,), dtype="float32") = R.add(a, R.const(2.0, "float32"))
#             c2: R.Tensor((4,), dtype="float32") = R.add(a, b2)
#             d: R.Tensor((4,), dtype="float32") = R.add(c1, c2)
#             R.output(d)
#         return d
