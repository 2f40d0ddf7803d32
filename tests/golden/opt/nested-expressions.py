# RUN: opt
# Nested calls, operators of Python and conditional returns become one binding an operation.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3,), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        return R.nn.relu(x + y) * R.exp(-x)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((3,), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#         gv: R.Tensor((2, 3), dtype="float32") = R.add(x, y)
#         gv1: R.Tensor((2, 3), dtype="float32") = R.nn.relu(gv)
#         gv2: R.Tensor((2, 3), dtype="float32") = R.negative(x)
#         gv3: R.Tensor((2, 3), dtype="float32") = R.exp(gv2)
#         gv4: R.Tensor((2, 3), dtype="float32") = R.multiply(gv1, gv3)
#         return gv4
