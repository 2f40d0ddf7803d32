# RUN: opt -p LegalizeOps
# As legalize-nothing-to-do.py, without anything that writes.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")):
        y = R.astype(x, "float32")
        z = R.split(x, 1)
        return (y, z)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         y: R.Tensor((4,), dtype="float32") = x
#         z: R.Tensor((4,), dtype="float32") = x
#         return (y, z)
