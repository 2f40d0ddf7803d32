# RUN: opt -p InlinePrivateFunctions --check-each
# Tuples as arguments and results, a parameter as the result, calls in branches and in nested functions.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32"), p: R.Tensor((), "bool")):
        t = Module.swap((a, R.const(1.0, "float32")))
        one = t[0]
        if p:
            b = Module.same(a)
        else:
            b = Module.same(R.exp(a))

        @R.function
        def nested(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            y = Module.same(x)
            return y

        c = nested(b)
        return (one, c)

    @R.function(private=True)
    def swap(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((), "float32"))) -> R.Tuple(R.Tensor((), "float32"), R.Tensor((4,), "float32")):
        x = t[0]
        y = t[1]
        return (y, x)

    @R.function(private=True)
    def same(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((), dtype="float32")) = a, R.const(1.0, "float32")
#         x: R.Tensor((4,), dtype="float32") = t[0]
#         y: R.Tensor((), dtype="float32") = t[1]
#         t_1: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((4,), dtype="float32")) = y, x
#         one: R.Tensor((), dtype="float32") = t_1[0]
#         if p:
#             b: R.Tensor((4,), dtype="float32") = a
#         else:
#             b: R.Tensor((4,), dtype="float32") = R.exp(a)
#         @R.function
#         def nested(x_1: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             return x_1
#
#         c: R.Tensor((4,), dtype="float32") = nested(b)
#         return (one, c)
