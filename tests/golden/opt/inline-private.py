# RUN: opt -p InlinePrivateFunctions --check-each
# A private function becomes its body, twice; public ones stay, and are called; nothing calls g any more.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        b = R.multiply(a, a)
        c = Module.g(b)
        d = Module.g(c)
        e = Module.public(d)
        return e

    @R.function(private=True)
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.h(x, R.const(2.0, "float32"))
        return y

    @R.function(private=True)
    def h(x: R.Tensor((4,), "float32"), s: R.Tensor((), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, s)
        return y

    @R.function
    def public(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def public(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         return x
#
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         b: R.Tensor((4,), dtype="float32") = R.multiply(a, a)
#         c: R.Tensor((4,), dtype="float32") = R.add(b, R.const(2.0, "float32"))
#         d: R.Tensor((4,), dtype="float32") = R.add(c, R.const(2.0, "float32"))
#         e: R.Tensor((4,), dtype="float32") = cls.public(d)
#         return e
