# RUN: opt -p InlinePrivateFunctions --check-each
# g is called nowhere any more, but still mentioned: it stays, with what it calls put in.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        cls = Module
        b = cls.g(a)
        f = cls.g
        return (b, f)

    @R.function(private=True)
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = Module.h(x)
        return y

    @R.function(private=True)
    def h(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, x)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def g(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         return y
#
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)):
#         cls = Module
#         b: R.Tensor((4,), dtype="float32") = R.add(a, a)
#         f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True) = cls.g
#         return (b, f)
