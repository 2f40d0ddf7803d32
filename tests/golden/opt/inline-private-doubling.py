# RUN: opt -p 'InlinePrivateFunctions(limit=8)' --check-each
# Each function calls the one before twice: what is put in stops when the module is 8 ops larger: f1 and f3 stay.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        b = Module.f3(a)
        return b

    @R.function(private=True)
    def f0(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, x)
        return y

    @R.function(private=True)
    def f1(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.f0(x)
        z = Module.f0(y)
        return z

    @R.function(private=True)
    def f2(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.f1(x)
        z = Module.f1(y)
        return z

    @R.function(private=True)
    def f3(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.f2(x)
        z = Module.f2(y)
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def f1(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         z: R.Tensor((4,), dtype="float32") = R.add(y, y)
#         return z
#
#     @R.function(private=True)
#     def f3(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = cls.f1(x)
#         y_1: R.Tensor((4,), dtype="float32") = cls.f1(y)
#         y_2: R.Tensor((4,), dtype="float32") = cls.f1(y_1)
#         z: R.Tensor((4,), dtype="float32") = cls.f1(y_2)
#         return z
#
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         b: R.Tensor((4,), dtype="float32") = cls.f3(a)
#         return b
