# RUN: opt -p EliminateCommonSubexpr
# `a` is written between the equal operations by a kernel that is called for its effect, and so is `d`, which is not `e`
# then; `f` and `g` are one.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def increment(x: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                x[vi] = x[vi] + T.float32(1)

    @R.function(pure=False)
    def main(n: R.Shape(["k"])):
        cls = Module
        k = T.int64()
        ones = R.ones(R.shape([4]), "float32")
        a = R.exp(ones)
        b = R.negative(a)
        cls.increment(a)
        c = R.negative(a)
        d = R.sin(ones)
        e = R.sin(ones)
        cls.increment(d)
        f = R.sum(R.cos(ones))
        g = R.sum(R.cos(ones))
        h = R.add(f, g)
        y = R.equal(h, R.sum(b))
        z = R.equal(h, R.sum(c))
        u = R.equal(h, R.sum(d))
        v = R.equal(h, R.sum(e))
        cond = R.logical_and(R.logical_and(y, z), R.logical_and(u, v))
        s = R.astype(cond, "int32")
        return s
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# k = TypeVar("k")
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def increment(x: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("b"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(x[vi])
#                 T.writes(x[vi])
#                 x[vi] = x[vi] + T.float32(1.0)
#
#     @R.function(pure=False)
#     def main(n: R.Shape([k])) -> R.Tensor((), dtype="int32"):
#         cls = Module
#         ones: R.Tensor((4,), dtype="float32") = R.ones(R.shape([4]), dtype="float32")
#         a: R.Tensor((4,), dtype="float32") = R.exp(ones)
#         b: R.Tensor((4,), dtype="float32") = R.negative(a)
#         cls.increment(a)
#         c: R.Tensor((4,), dtype="float32") = R.negative(a)
#         d: R.Tensor((4,), dtype="float32") = R.sin(ones)
#         e: R.Tensor((4,), dtype="float32") = R.sin(ones)
#         cls.increment(d)
#         gv: R.Tensor((4,), dtype="float32") = R.cos(ones)
#         f: R.Tensor((), dtype="float32") = R.sum(gv, axis=None, keepdims=False)
#         h: R.Tensor((), dtype="float32") = R.add(f, f)
#         gv1: R.Tensor((), dtype="float32") = R.sum(b, axis=None, keepdims=False)
#         y: R.Tensor((), dtype="bool") = R.equal(h, gv1)
#         gv2: R.Tensor((), dtype="float32") = R.sum(c, axis=None, keepdims=False)
#         z: R.Tensor((), dtype="bool") = R.equal(h, gv2)
#         gv3: R.Tensor((), dtype="float32") = R.sum(d, axis=None, keepdims=False)
#         u: R.Tensor((), dtype="bool") = R.equal(h, gv3)
#         gv4: R.Tensor((), dtype="float32") = R.sum(e, axis=None, keepdims=False)
#         v: R.Tensor((), dtype="bool") = R.equal(h, gv4)
#         gv5: R.Tensor((), dtype="bool") = R.logical_and(y, z)
#         gv6: R.Tensor((), dtype="bool") = R.logical_and(u, v)
#         cond: R.Tensor((), dtype="bool") = R.logical_and(gv5, gv6)
#         s: R.Tensor((), dtype="int32") = R.astype(cond, dtype="int32")
#         return s
