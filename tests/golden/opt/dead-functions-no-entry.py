# RUN: opt -p DeadCodeElimination --check-each
# A module of private functions only: all may be called from outside some day, all stay.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(private=True)
    def first(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def first(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         return x
