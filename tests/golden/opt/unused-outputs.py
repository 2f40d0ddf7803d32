# RUN: opt -p RemoveUnusedOutputs
# One field left, two of three left, a result that a branch makes, recursion; all fields stay where a call returns the whole.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        with R.dataflow():
            t = cls.two(x)
            a = t[1]
            u = cls.three(x)
            b = u[2]
            d = u[0]
            e = R.add(b, d)
            R.output(a, e)
        v = cls.branch(x, c)
        f = v[0]
        w = cls.whole(x)
        g = w[0]
        r = cls.recursive(x, c)
        h = r[1]
        return (a, e, f, w, g, h)

    @R.function(private=True)
    def two(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.negative(x)
            t = (a, b)
            R.output(t)
        return t

    @R.function(private=True)
    def three(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((), "float32")):
        a = R.exp(x)
        b = R.negative(x)
        return (a, b, R.const(1.0, "float32"))

    @R.function(private=True)
    def branch(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        if c:
            t = (x, x)
        else:
            a = R.exp(x)
            t = (a, x)
        return t

    @R.function(private=True)
    def whole(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        a = R.exp(x)
        return (a, x)

    @R.function(private=True)
    def recursive(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        if c:
            n = R.logical_not(c)
            t = cls.recursive(x, n)
            a = t[1]
        else:
            a = x
        b = R.exp(x)
        return (b, a)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def branch(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         if c:
#             t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = x, x
#         else:
#             a: R.Tensor((4,), dtype="float32") = R.exp(x)
#             t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = a, x
#         gv: R.Tensor((4,), dtype="float32") = t[0]
#         return gv
#
#     @R.function(private=True)
#     def recursive(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         if c:
#             n: R.Tensor((), dtype="bool") = R.logical_not(c)
#             a: R.Tensor((4,), dtype="float32") = cls.recursive(x, n)
#         else:
#             a: R.Tensor((4,), dtype="float32") = x
#         b: R.Tensor((4,), dtype="float32") = R.exp(x)
#         return a
#
#     @R.function(private=True)
#     def three(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((), dtype="float32")):
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         b: R.Tensor((4,), dtype="float32") = R.negative(x)
#         return (a, R.const(1.0, "float32"))
#
#     @R.function(private=True)
#     def two(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             a: R.Tensor((4,), dtype="float32") = R.exp(x)
#             b: R.Tensor((4,), dtype="float32") = R.negative(x)
#             t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = a, b
#             R.output(t, b)
#         return b
#
#     @R.function(private=True)
#     def whole(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         return (a, x)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             a: R.Tensor((4,), dtype="float32") = cls.two(x)
#             u: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((), dtype="float32")) = cls.three(x)
#             b: R.Tensor((), dtype="float32") = u[1]
#             d: R.Tensor((4,), dtype="float32") = u[0]
#             e: R.Tensor((4,), dtype="float32") = R.add(b, d)
#             R.output(e, a)
#         f: R.Tensor((4,), dtype="float32") = cls.branch(x, c)
#         w: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.whole(x)
#         g: R.Tensor((4,), dtype="float32") = w[0]
#         h: R.Tensor((4,), dtype="float32") = cls.recursive(x, c)
#         return (a, e, f, w, g, h)
