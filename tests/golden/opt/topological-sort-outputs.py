# RUN: opt -p 'TopologicalSort(direction=from-outputs)'
# From the outputs: in the order in which they are read behind the block; d1 and d2 are read by nobody
# and stay near to what they read.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        with R.dataflow():
            b2 = R.add(a, R.const(2.0, "float32"))
            b1 = R.add(a, R.const(1.0, "float32"))
            c2 = R.add(a, b2)
            c1 = R.add(a, b1)
            d1 = R.add(a, c1)
            d2 = R.add(a, c2)
            R.output(c2, c1)
        return (c1, c2)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         with R.dataflow():
#             b1: R.Tensor((4,), dtype="float32") = R.add(a, R.const(1.0, "float32"))
#             c1: R.Tensor((4,), dtype="float32") = R.add(a, b1)
#             d1: R.Tensor((4,), dtype="float32") = R.add(a, c1)
#             b2: R.Tensor((4,), dtype="float32") = R.add(a, R.const(2.0, "float32"))
#             c2: R.Tensor((4,), dtype="float32") = R.add(a, b2)
#             d2: R.Tensor((4,), dtype="float32") = R.add(a, c2)
#             R.output(c2, c1)
#         return (c1, c2)
