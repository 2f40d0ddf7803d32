# RUN: opt -p ExpandTupleArguments
# Nested and empty tuples, arguments that are tuples of names and results of calls, donated positions behind a tuple, a
# tuple that is used as a whole, recursion.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(x: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            x[i] = x[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        cls = Module
        with R.dataflow():
            a = cls.sum(t, x)
            b = cls.nested(((x, a), R.const(1.0, "float32")), x)
            e = (x, b)
            c = cls.sum(e, x)
            R.output(c)
        d = cls.whole(t)
        n = cls.nothing(())
        r = cls.recursive(t, R.const(2, "int64"))
        return (c, d, n, r)

    @R.function(private=True)
    def sum(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 1, "num_input": 1})
        a = t[0]
        b = t[1]
        c = R.add(a, b)
        cls = Module
        d = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        e = R.add(c, d)
        return e

    @R.function(private=True)
    def nested(t: R.Tuple(R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), R.Tensor((), "float32")), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            u = t[0]
            a = u[1]
            b = t[1]
            c = R.add(a, b)
            R.output(c)
        return c

    @R.function(private=True)
    def whole(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return t

    @R.function(private=True)
    def nothing(t: R.Tuple()) -> R.Tensor((), "float32"):
        return R.const(1.0, "float32")

    @R.function(private=True)
    def recursive(t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")), i: R.Tensor((), "int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        go_on = R.greater(i, R.const(0, "int64"))
        a = t[0]
        b = t[1]
        if go_on:
            less = R.subtract(i, R.const(1, "int64"))
            sum = R.add(a, b)
            r = cls.recursive((b, sum), less)
        else:
            r = a
        return r
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def double(x: T.Buffer((T.int64(4),), "float32")):
#         for i in range(T.int64(4)):
#             x[i] = x[i] * T.float32(2.0)
#
#     @R.function(private=True)
#     def nested(t_0_0: R.Tensor((4,), dtype="float32"), t_0_1: R.Tensor((4,), dtype="float32"), t_1: R.Tensor((), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             c: R.Tensor((4,), dtype="float32") = R.add(t_0_1, t_1)
#             R.output(c)
#         return c
#
#     @R.function(private=True)
#     def nothing() -> R.Tensor((), dtype="float32"):
#         return R.const(1.0, "float32")
#
#     @R.function(private=True)
#     def recursive(t_0: R.Tensor((4,), dtype="float32"), t_1: R.Tensor((4,), dtype="float32"), i: R.Tensor((), dtype="int64")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         go_on: R.Tensor((), dtype="bool") = R.greater(i, R.const(0, "int64"))
#         if go_on:
#             less: R.Tensor((), dtype="int64") = R.subtract(i, R.const(1, "int64"))
#             sum: R.Tensor((4,), dtype="float32") = R.add(t_0, t_1)
#             r: R.Tensor((4,), dtype="float32") = cls.recursive(t_1, sum, less)
#         else:
#             r: R.Tensor((4,), dtype="float32") = t_0
#         return r
#
#     @R.function(private=True)
#     def sum(t_0: R.Tensor((4,), dtype="float32"), t_1: R.Tensor((4,), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"num_input": 2, "relax.inplace_arg": [2]})
#         cls = Module
#         c: R.Tensor((4,), dtype="float32") = R.add(t_0, t_1)
#         d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         e: R.Tensor((4,), dtype="float32") = R.add(c, d)
#         return e
#
#     @R.function(private=True)
#     def whole(t_0: R.Tensor((4,), dtype="float32"), t_1: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = t_0, t_1
#         return gv
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             lv: R.Tensor((4,), dtype="float32") = t[0]
#             lv1: R.Tensor((4,), dtype="float32") = t[1]
#             a: R.Tensor((4,), dtype="float32") = cls.sum(lv, lv1, x)
#             b: R.Tensor((4,), dtype="float32") = cls.nested(x, a, R.const(1.0, "float32"), x)
#             e: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = x, b
#             c: R.Tensor((4,), dtype="float32") = cls.sum(x, b, x)
#             R.output(c)
#         gv: R.Tensor((4,), dtype="float32") = t[0]
#         gv1: R.Tensor((4,), dtype="float32") = t[1]
#         d: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.whole(gv, gv1)
#         n: R.Tensor((), dtype="float32") = cls.nothing()
#         gv2: R.Tensor((4,), dtype="float32") = t[0]
#         gv3: R.Tensor((4,), dtype="float32") = t[1]
#         r: R.Tensor((4,), dtype="float32") = cls.recursive(gv2, gv3, R.const(2, "int64"))
#         return (c, d, n, r)
