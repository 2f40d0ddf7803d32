# RUN: opt -p 'DeadCodeElimination(entries="first,second")'
# Private functions that are named as entries stay, with what they call.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def first(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.helper(x)
        return y

    @R.function(private=True)
    def second(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function(private=True)
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function(private=True)
    def third(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def first(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = cls.helper(x)
#         return y
#
#     @R.function(private=True)
#     def helper(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         return x
#
#     @R.function(private=True)
#     def second(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         return x
