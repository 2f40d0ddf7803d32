# RUN: opt -p Normalize
# Neighbouring blocks are joined: a is shown to nobody then, c still is.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.add(x, x)
            c = R.exp(a)
            R.output(a, c)
        with R.dataflow():
            b = R.add(a, c)
            R.output(b)
        return (b, c)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         with R.dataflow():
#             a: R.Tensor((4,), dtype="float32") = R.add(x, x)
#             c: R.Tensor((4,), dtype="float32") = R.exp(a)
#             b: R.Tensor((4,), dtype="float32") = R.add(a, c)
#             R.output(b, c)
#         return (b, c)
