# RUN: opt -p FuseTIR
# A function that says Primitive becomes a kernel if each of its steps is a kernel call that is understood; `whole`
# is also used as a value, and stays a function.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def twice(a: T.Buffer(("n",), "float32"), b: T.Buffer((n,), "float32")):
        n = T.int64()
        for i in range(n):
            with T.sblock("twice"):
                v = T.axis.spatial(n, i)
                b[v] = a[v] + a[v]

    @R.function(private=True)
    def part(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((n,), "float32"))
            b = R.call_tir(cls.twice, (a,), out_ty=R.Tensor((n,), "float32"))
            R.output(a, b)
        return (a, b)

    @R.function(private=True)
    def whole(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Primitive": True})
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((4,), "float32"))
            R.output(a)
        return a

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor(("m",), "float32")):
        m = T.int64()
        cls = Module
        f = cls.whole
        a = f(x)
        b = cls.whole(a)
        c = cls.part(y)
        return (b, c)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def part(x: T.Buffer((n,), "float32"), a: T.Buffer((n,), "float32"), b: T.Buffer((n,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for i in range(n):
#             with T.sblock("twice"):
#                 v = T.axis.spatial(n, i)
#                 T.reads(x[v])
#                 T.writes(a[v])
#                 a[v] = x[v] + x[v]
#         for i in range(n):
#             with T.sblock("twice_1"):
#                 v = T.axis.spatial(n, i)
#                 T.reads(a[v])
#                 T.writes(b[v])
#                 b[v] = a[v] + a[v]
#
#     @T.prim_func(private=True, s_tir=True)
#     def twice(a: T.Buffer((n,), "float32"), b: T.Buffer((n,), "float32")):
#         # with T.sblock("root"):
#         for i in range(n):
#             with T.sblock("twice"):
#                 v = T.axis.spatial(n, i)
#                 T.reads(a[v])
#                 T.writes(b[v])
#                 b[v] = a[v] + a[v]
#
#     @R.function(private=True)
#     def whole(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(a)
#         return a
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((m,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((m,), dtype="float32"), R.Tensor((m,), dtype="float32"))):
#         cls = Module
#         f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True) = cls.whole
#         a: R.Tensor((4,), dtype="float32") = f(x)
#         b: R.Tensor((4,), dtype="float32") = cls.whole(a)
#         c = R.call_tir(cls.part, (y,), out_ty=[R.Tensor((m,), dtype="float32"), R.Tensor((m,), dtype="float32")])
#         return (b, c)
