# RUN: opt --print-changed -p 'fix(EliminateCommonSubexpr, CanonicalizeBindings)'
# Again and again until nothing changes: the rename must go before `c` and `d` are equal.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        b = a
        c = R.exp(b)
        d = R.exp(a)
        e = R.add(c, d)
        return e
# OUT:
# # ---- not changed by EliminateCommonSubexpr ----
# # ---- changed by CanonicalizeBindings ----
#       @R.function
#       def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#           a: R.Tensor((4,), dtype="float32") = R.exp(x)
# -         b: R.Tensor((4,), dtype="float32") = a
# -         c: R.Tensor((4,), dtype="float32") = R.exp(b)
# +         c: R.Tensor((4,), dtype="float32") = R.exp(a)
#           d: R.Tensor((4,), dtype="float32") = R.exp(a)
#           e: R.Tensor((4,), dtype="float32") = R.add(c, d)
#           return e
# # ---- changed by EliminateCommonSubexpr ----
#       def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#           a: R.Tensor((4,), dtype="float32") = R.exp(x)
#           c: R.Tensor((4,), dtype="float32") = R.exp(a)
# -         d: R.Tensor((4,), dtype="float32") = R.exp(a)
# -         e: R.Tensor((4,), dtype="float32") = R.add(c, d)
# +         e: R.Tensor((4,), dtype="float32") = R.add(c, c)
#           return e
# # ---- not changed by CanonicalizeBindings ----
# # ---- not changed by EliminateCommonSubexpr ----
# # ---- not changed by CanonicalizeBindings ----
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         c: R.Tensor((4,), dtype="float32") = R.exp(a)
#         e: R.Tensor((4,), dtype="float32") = R.add(c, c)
#         return e
