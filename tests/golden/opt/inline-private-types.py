# RUN: opt -p InlinePrivateFunctions --check-each
# What the body knows less of is inferred again; a body that would be proved wrong by its arguments
# keeps what it knows, and fails when it runs.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 3), "float32")):
        b = Module.vague(a)
        return b

    @R.function
    def fails(a: R.Tensor((2,), "float32")):
        b = Module.adds_three(a)
        return b

    @R.function(private=True)
    def vague(x: R.Tensor(ndim=2, dtype="float32")) -> R.Tensor(ndim=2, dtype="float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def adds_three(x: R.Tensor(ndim=1, dtype="float32")) -> R.Tensor(ndim=1, dtype="float32"):
        y = R.zeros(R.shape([3]), "float32")
        z = R.add(x, y)
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def fails(a: R.Tensor((2,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
#         x: R.Tensor(dtype="float32", ndim=1) = a
#         y: R.Tensor((3,), dtype="float32") = R.zeros(R.shape([3]), dtype="float32")
#         b: R.Tensor(dtype="float32", ndim=1) = R.add(x, y)
#         return b
#
#     @R.function
#     def main(a: R.Tensor((2, 3), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2):
#         b: R.Tensor((2, 3), dtype="float32") = R.exp(a)
#         return b
