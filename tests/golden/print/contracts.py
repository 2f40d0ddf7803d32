# RUN: opt
# Contracts are printed as they are written.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {"my.sort": {"reads": [0], "mutates": [1], "retains": [], "aliases": [[1, -1], None]}, "other": {}}})

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     I.module_attrs({"relax.contracts": {"my.sort": {"aliases": [[1, -1], None], "mutates": [1], "reads": [0], "retains": []}, "other": {}}})
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         return x
