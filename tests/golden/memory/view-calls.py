# RUN: opt -p LegalizeOps,ViewCalls,DeadCodeElimination
# What a kernel cuts out of an operand in one run is a view: slices of rows, pieces of a split, of symbolic sizes, of views, and
# what a kernel of the script copies. Columns and every other row are no run and stay kernels.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def copy_behind(a: T.Buffer(("n", 4), "float32"), out: T.Buffer(("n - 1", 4), "float32")):
        n = T.int64()
        for i, j in T.grid(n - 1, 4):
            with T.sblock("copy"):
                vi, vj = T.axis.remap("SS", [i, j])
                out[vi, vj] = a[vi + 1, vj]

    @R.function
    def main(x: R.Tensor((8, 4), "float32"), y: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32")):
        n = T.int64()
        cls = Module
        rows = R.strided_slice(x, axes=[0], begin=[2], end=[6])
        inner = R.strided_slice(rows, axes=[0], begin=[1], end=[3])
        every = R.strided_slice(x, axes=[0], begin=[0], end=[8], strides=[2])
        columns = R.strided_slice(x, axes=[1], begin=[0], end=[2])
        halves = R.split(x, 2, axis=0)
        low = halves[0]
        behind = R.call_tir(cls.copy_behind, (y,), out_ty=R.Tensor((n - 1, 4), "float32"))
        a = R.matmul(inner, w)
        b = R.matmul(rows, w)
        c = R.matmul(every, w)
        d = R.matmul(columns, R.strided_slice(w, axes=[0], begin=[1], end=[3]))
        e = R.matmul(low, w)
        f = R.matmul(behind, w)
        return (a, b, c, d, e, f)
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
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(2), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(2), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(2), T.int64(4), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(4), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(4), T.int64(4), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_2(x1: T.Buffer((T.int64(8), T.int64(2)), "float32"), x2: T.Buffer((T.int64(2), T.int64(4)), "float32"), out: T.Buffer((T.int64(8), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(8), T.int64(2), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_3(n: T.int64, x1: T.Buffer((n - T.int64(1), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((n - T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(n - T.int64(1), T.int64(4), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def strided_slice_2(x: T.Buffer((T.int64(8), T.int64(4)), "float32"), out: T.Buffer((T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(4)):
#             with T.sblock("T_strided_slice"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0 * T.int64(2), v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0 * T.int64(2), v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def strided_slice_3(x: T.Buffer((T.int64(8), T.int64(4)), "float32"), out: T.Buffer((T.int64(8), T.int64(2)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(8), T.int64(2)):
#             with T.sblock("T_strided_slice"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1]
#
#     @R.function
#     def main(x: R.Tensor((8, 4), dtype="float32"), y: R.Tensor((n, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor(("n - 1", 4), dtype="float32")):
#         cls = Module
#         rows: R.Tensor((4, 4), dtype="float32") = R.memory.view(x, R.shape([4, 4]), R.dtype("float32"), 32)
#         inner: R.Tensor((2, 4), dtype="float32") = R.memory.view(rows, R.shape([2, 4]), R.dtype("float32"), 16)
#         every = R.call_tir(cls.strided_slice_2, (x,), out_ty=R.Tensor((4, 4), dtype="float32"))
#         columns = R.call_tir(cls.strided_slice_3, (x,), out_ty=R.Tensor((8, 2), dtype="float32"))
#         gv: R.Tensor((4, 4), dtype="float32") = R.memory.view(x, R.shape([4, 4]), R.dtype("float32"), 0)
#         gv1: R.Tensor((4, 4), dtype="float32") = R.memory.view(x, R.shape([4, 4]), R.dtype("float32"), 64)
#         halves: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = gv, gv1
#         low: R.Tensor((4, 4), dtype="float32") = halves[0]
#         behind: R.Tensor((n - 1, 4), dtype="float32") = R.memory.view(y, R.shape([n - 1, 4]), R.dtype("float32"), 16)
#         a = R.call_tir(cls.matmul, (inner, w), out_ty=R.Tensor((2, 4), dtype="float32"))
#         b = R.call_tir(cls.matmul_1, (rows, w), out_ty=R.Tensor((4, 4), dtype="float32"))
#         c = R.call_tir(cls.matmul_1, (every, w), out_ty=R.Tensor((4, 4), dtype="float32"))
#         gv2: R.Tensor((2, 4), dtype="float32") = R.memory.view(w, R.shape([2, 4]), R.dtype("float32"), 16)
#         d = R.call_tir(cls.matmul_2, (columns, gv2), out_ty=R.Tensor((8, 4), dtype="float32"))
#         e = R.call_tir(cls.matmul_1, (low, w), out_ty=R.Tensor((4, 4), dtype="float32"))
#         f = R.call_tir(cls.matmul_3, (n, behind, w), out_ty=R.Tensor((n - 1, 4), dtype="float32"))
#         return (a, b, c, d, e, f)
