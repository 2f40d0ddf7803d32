# RUN: opt -p InlinePrivateFunctions --check-each
# In a dataflow block: a pure body goes into it, a body with a branch splits it.  In a plain block the
# dataflow blocks of the body stay.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32"), p: R.Tensor((), "bool")):
        with R.dataflow():
            b = R.multiply(a, a)
            c = Module.straight(b)
            d = Module.branching(c, p)
            e = R.add(d, b)
            R.output(e)
        f = Module.straight(e)
        return f

    @R.function(private=True)
    def straight(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            y = R.add(x, x)
            z = R.exp(y)
            R.output(z)
        return z

    @R.function(private=True)
    def branching(x: R.Tensor((4,), "float32"), q: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        if q:
            y = R.add(x, x)
        else:
            y = R.exp(x)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             b: R.Tensor((4,), dtype="float32") = R.multiply(a, a)
#             y: R.Tensor((4,), dtype="float32") = R.add(b, b)
#             c: R.Tensor((4,), dtype="float32") = R.exp(y)
#             R.output(b, c)
#         if p:
#             d: R.Tensor((4,), dtype="float32") = R.add(c, c)
#         else:
#             d: R.Tensor((4,), dtype="float32") = R.exp(c)
#         with R.dataflow():
#             e: R.Tensor((4,), dtype="float32") = R.add(d, b)
#             y_1: R.Tensor((4,), dtype="float32") = R.add(e, e)
#             f: R.Tensor((4,), dtype="float32") = R.exp(y_1)
#             R.output(f)
#         return f
