# RUN: opt -p LegalizeOps
# A cast to the dtype that is there, or one part of a split, is another name; a copy where the module may write what it is given.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32")):
        y = R.astype(x, "float32")
        z = R.split(x, 1)
        _ = R.call_packed("update", y, z)
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.copy(x)
#         z: R.Tensor((4,), dtype="float32") = R.copy(x)
#         _: R.Any = R.call_packed("update", y, z)
#         return x
