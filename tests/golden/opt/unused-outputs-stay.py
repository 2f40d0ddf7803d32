# RUN: opt -p RemoveUnusedOutputs
# Left alone: a public function, one that is a value, one whose result nobody reads, one whose fields are all read.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        t = cls.public(x)
        a = t[0]
        f = cls.value
        u = f(x)
        b = u[0]
        v = cls.nobody(x)
        w = cls.value(x)
        d = w[1]
        y = cls.all(x)
        e = y[0]
        g = y[1]
        return (a, b, d, e, g)

    @R.function
    def public(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return (x, x)

    @R.function(private=True)
    def value(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return (x, x)

    @R.function(private=True)
    def nobody(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return (x, x)

    @R.function(private=True)
    def all(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return (x, x)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def all(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         return (x, x)
#
#     @R.function(private=True)
#     def nobody(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         return (x, x)
#
#     @R.function
#     def public(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         return (x, x)
#
#     @R.function(private=True)
#     def value(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         return (x, x)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.public(x)
#         a: R.Tensor((4,), dtype="float32") = t[0]
#         f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), True) = cls.value
#         u: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = f(x)
#         b: R.Tensor((4,), dtype="float32") = u[0]
#         v: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.nobody(x)
#         w: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.value(x)
#         d: R.Tensor((4,), dtype="float32") = w[1]
#         y: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.all(x)
#         e: R.Tensor((4,), dtype="float32") = y[0]
#         g: R.Tensor((4,), dtype="float32") = y[1]
#         return (a, b, d, e, g)
