# RUN: opt
# What stands before `/` in a signature is written without its name; a string that is a value is R.str(..).
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32")):
        y = R.hint_on_device(x, dst_vdevice=R.device(1, 0), memory_scope="local")
        z = R.hint_on_device(y, R.device(1, 0))
        R.print(x, format="x is {}")
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.hint_on_device(x, R.device(1, 0), "local")
#         z: R.Tensor((4,), dtype="float32") = R.hint_on_device(y, R.device(1, 0), "global")
#         R.print(x, format=R.str("x is {}"))
#         return z
