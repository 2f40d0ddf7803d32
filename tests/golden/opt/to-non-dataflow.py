# RUN: opt -p ToNonDataflow
# Dataflow blocks become plain ones, and neighbours are joined; nothing else changes.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        with R.dataflow():
            a = R.exp(x)
            b = R.add(a, a)
            R.output(b)
        d = R.add(b, x)
        if c:
            with R.dataflow():
                e = R.exp(d)
                R.output(e)
            f = R.add(e, e)
        else:
            f = R.negative(d)
        return f
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         b: R.Tensor((4,), dtype="float32") = R.add(a, a)
#         d: R.Tensor((4,), dtype="float32") = R.add(b, x)
#         if c:
#             e: R.Tensor((4,), dtype="float32") = R.exp(d)
#             f: R.Tensor((4,), dtype="float32") = R.add(e, e)
#         else:
#             f: R.Tensor((4,), dtype="float32") = R.negative(d)
#         return f
