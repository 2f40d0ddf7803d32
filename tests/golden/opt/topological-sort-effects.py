# RUN: opt -p TopologicalSort --check-each
# Blocks with effects keep their order; so does what stands outside of dataflow blocks.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        R.func_attr({"relax.force_pure": True})
        with R.dataflow():
            b1 = R.add(a, R.const(1.0, "float32"))
            b2 = R.add(a, R.const(2.0, "float32"))
            _ = R.print(b1)
            c1 = R.add(a, b1)
            _1 = R.print(b2)
            R.output(c1, b2)
        d1 = R.add(c1, b2)
        d2 = R.add(c1, c1)
        e1 = R.add(d1, d1)
        return (e1, d2)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"relax.force_pure": True})
#         with R.dataflow():
#             b1: R.Tensor((4,), dtype="float32") = R.add(a, R.const(1.0, "float32"))
#             b2: R.Tensor((4,), dtype="float32") = R.add(a, R.const(2.0, "float32"))
#             R.print(b1, format=R.str(""))
#             c1: R.Tensor((4,), dtype="float32") = R.add(a, b1)
#             R.print(b2, format=R.str(""))
#             R.output(c1, b2)
#         d1: R.Tensor((4,), dtype="float32") = R.add(c1, b2)
#         d2: R.Tensor((4,), dtype="float32") = R.add(c1, c1)
#         e1: R.Tensor((4,), dtype="float32") = R.add(d1, d1)
#         return (e1, d2)
