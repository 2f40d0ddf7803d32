# RUN: opt --roundtrip-each --check-each -p 'fix(CanonicalizeBindings,EliminateCommonSubexpr,Normalize)' FILE
"""The value of a branch is yielded as it is: a module that is parsed again settles at once.  What hides a type stays."""
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32"), k: R.Tensor((4,), "float32")
    ) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        if c:
            with R.dataflow():
                a = R.add(x, k)
                b = R.exp(a)
                R.output(b)
            z = b
        else:
            if c:
                y = x
            else:
                y = R.exp(x)
            z = y
        if c:
            q = (x, z)
        else:
            p = (z, k)
            q = p
        return q

    @R.function
    def hidden(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor("float32", ndim=1):
        if c:
            z: R.Tensor("float32", ndim=1) = x
        else:
            z = x
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def hidden(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
#         if c:
#             z: R.Tensor(dtype="float32", ndim=1) = x
#         else:
#             z: R.Tensor((4,), dtype="float32") = x
#         return z
#
#     @R.function
#     def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32"), k: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         if c:
#             with R.dataflow():
#                 a: R.Tensor((4,), dtype="float32") = R.add(x, k)
#                 b: R.Tensor((4,), dtype="float32") = R.exp(a)
#                 R.output(b)
#             z: R.Tensor((4,), dtype="float32") = b
#         else:
#             if c:
#                 y: R.Tensor((4,), dtype="float32") = x
#             else:
#                 y: R.Tensor((4,), dtype="float32") = R.exp(x)
#             z: R.Tensor((4,), dtype="float32") = y
#         if c:
#             q: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = x, z
#         else:
#             q: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z, k
#         return q
