# RUN: opt -p TopologicalSort
# Ops that read nothing come behind the parameters, each in front of its first reader.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((), "float32")):
        with R.dataflow():
            b1 = R.const(1.0, "float32")
            b2 = R.const(2.0, "float32")
            c2 = R.add(a, b2)
            c1 = R.add(a, b1)
            d2 = R.add(a, c2)
            d1 = R.add(a, c1)
            e = R.add(d1, d2)
            R.output(e)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
#         with R.dataflow():
#             b1: R.Tensor((), dtype="float32") = R.const(1.0, "float32")
#             c1: R.Tensor((), dtype="float32") = R.add(a, b1)
#             d1: R.Tensor((), dtype="float32") = R.add(a, c1)
#             b2: R.Tensor((), dtype="float32") = R.const(2.0, "float32")
#             c2: R.Tensor((), dtype="float32") = R.add(a, b2)
#             d2: R.Tensor((), dtype="float32") = R.add(a, c2)
#             e: R.Tensor((), dtype="float32") = R.add(d1, d2)
#             R.output(e)
#         return e
