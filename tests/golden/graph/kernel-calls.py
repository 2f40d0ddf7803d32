# RUN: opt
# The forms of call_tir: one argument alone, a tuple value, positional types, old tir_vars.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def double(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        for i in range(n):
            with T.block("double"):
                v = T.axis.spatial(n, i)
                B[v] = A[v] * T.float32(2)

    @T.prim_func
    def pair(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), D: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("pair"):
                v = T.axis.spatial(4, i)
                C[v] = A[v] + B[v]
                D[v] = A[v] - B[v]

    @T.prim_func
    def shift(a: T.handle, b: T.handle, k: T.int64):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        for i in range(n):
            with T.block("shift"):
                v = T.axis.spatial(n, i)
                B[v] = A[v] + T.Cast("float32", k)

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        a = R.call_tir(Module.double, x, R.Tensor((n,), dtype="float32"))
        both = (y, y)
        b = R.call_tir(Module.pair, both, out_sinfo=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        c = R.call_tir(Module.shift, (a,), out_sinfo=R.Tensor((n,), "float32"), tir_vars=R.shape([n + 1]))
        d = R.call_tir(Module.double, (c,), out_sinfo=[R.Tensor((n,), "float32")])
        return (b, d)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def double(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
#         # with T.sblock("root"):
#         for i in range(n):
#             with T.sblock("double"):
#                 v = T.axis.spatial(n, i)
#                 T.reads(A[v])
#                 T.writes(B[v])
#                 B[v] = A[v] * T.float32(2.0)
#
#     @T.prim_func(s_tir=True)
#     def pair(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32"), D: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("pair"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(A[v], B[v])
#                 T.writes(C[v], D[v])
#                 C[v] = A[v] + B[v]
#                 D[v] = A[v] - B[v]
#
#     @T.prim_func(s_tir=True)
#     def shift(A: T.Buffer((n,), "float32"), k: T.int64, B: T.Buffer((n,), "float32")):
#         # with T.sblock("root"):
#         for i in range(n):
#             with T.sblock("shift"):
#                 v = T.axis.spatial(n, i)
#                 T.reads(A[v])
#                 T.writes(B[v])
#                 B[v] = A[v] + T.Cast("float32", k)
#
#     @R.function
#     def main(x: R.Tensor((n,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((n,), dtype="float32")):
#         cls = Module
#         a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((n,), dtype="float32"))
#         both: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = y, y
#         b = R.call_tir(cls.pair, (y, y), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")])
#         c = R.call_tir(cls.shift, (a, n + 1), out_ty=R.Tensor((n,), dtype="float32"))
#         d = R.call_tir(cls.double, (c,), out_ty=R.Tensor((n,), dtype="float32"))
#         return (b, d)
