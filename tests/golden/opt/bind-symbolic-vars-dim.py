# RUN: opt -p BindSymbolicVars --dim n=4 --dim m=2 --check-each
# Without an option the numbers are those of --dim.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        y = R.add(x, x)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4, 2), dtype="float32")) -> R.Tensor((4, 2), dtype="float32"):
#         y: R.Tensor((4, 2), dtype="float32") = R.add(x, x)
#         return y
