# RUN: opt -p 'InlinePrivateFunctions(limit=2)' --check-each
# Nothing: the body has more ops than the module may grow by.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        b = Module.g(a)
        return b

    @R.function(private=True)
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, x)
        z = R.exp(y)
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def g(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         z: R.Tensor((4,), dtype="float32") = R.exp(y)
#         return z
#
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         b: R.Tensor((4,), dtype="float32") = cls.g(a)
#         return b
