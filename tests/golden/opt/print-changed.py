# RUN: opt --print-changed -p CanonicalizeBindings,DeadCodeElimination,DeadCodeElimination
# What each pass changed, as a diff, and that the second sweep found nothing.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        b = a
        unused = R.add(b, b)
        return b
# OUT:
# # ---- changed by CanonicalizeBindings ----
#       @R.function
#       def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#           a: R.Tensor((4,), dtype="float32") = R.exp(x)
# -         b: R.Tensor((4,), dtype="float32") = a
# -         unused: R.Tensor((4,), dtype="float32") = R.add(b, b)
# -         return b
# +         unused: R.Tensor((4,), dtype="float32") = R.add(a, a)
# +         return a
# # ---- changed by DeadCodeElimination ----
#       @R.function
#       def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#           a: R.Tensor((4,), dtype="float32") = R.exp(x)
# -         unused: R.Tensor((4,), dtype="float32") = R.add(a, a)
#           return a
# # ---- not changed by DeadCodeElimination ----
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         return a
