# RUN: opt -p LegalizeOps,ViewCalls,DeadCodeElimination
# A view keeps all of what it lies in: `last` is read when the rest of `h` is over, and is less than half of it, so that the copy
# is cheaper; `half` is worth it, `early` costs nothing. What is returned is no view of a parameter. In `parts` what
# lies in `most` keeps all of that, which is most of `h`; `few` outlives `g` alone, not with `many`, so that it is copied.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        h = R.matmul(x, w)
        last = R.strided_slice(h, axes=[0], begin=[7], end=[8])
        g = R.matmul(x, w)
        half = R.strided_slice(g, axes=[0], begin=[4], end=[8])
        k = R.matmul(x, w)
        early = R.strided_slice(k, axes=[0], begin=[0], end=[1])
        a = R.matmul(early, w)
        b = R.matmul(k, w)
        c = R.matmul(last, w)
        d = R.matmul(half, w)
        row = R.strided_slice(x, axes=[0], begin=[0], end=[1])
        return (a, b, c, d, row)

    @R.function
    def parts(x: R.Tensor((8, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        h = R.matmul(x, w)
        most = R.strided_slice(h, axes=[0], begin=[0], end=[6])
        first = R.strided_slice(most, axes=[0], begin=[1], end=[3])
        g = R.matmul(x, w)
        many = R.strided_slice(g, axes=[0], begin=[0], end=[6])
        few = R.strided_slice(g, axes=[0], begin=[6], end=[7])
        a = R.matmul(h, w)
        b = R.matmul(many, w)
        c = R.matmul(g, w)
        d = R.matmul(few, w)
        e = R.matmul(first, w)
        return (a, b, c, d, e)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(8), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(8), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(8), T.int64(4), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(1), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(1), T.int64(4), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_2(x1: T.Buffer((T.int64(4), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(4), T.int64(4)), "float32")):
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
#     def matmul_3(x1: T.Buffer((T.int64(6), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(6), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(6), T.int64(4), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_4(x1: T.Buffer((T.int64(2), T.int64(4)), "float32"), x2: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(2), T.int64(4)), "float32")):
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
#     def strided_slice(x: T.Buffer((T.int64(8), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_strided_slice"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[T.int64(7) + v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[T.int64(7) + v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def strided_slice_2(x: T.Buffer((T.int64(8), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_strided_slice"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def strided_slice_5(x: T.Buffer((T.int64(8), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_strided_slice"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[T.int64(6) + v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[T.int64(6) + v_ax0, v_ax1]
#
#     @R.function
#     def parts(x: R.Tensor((8, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((8, 4), dtype="float32"), R.Tensor((6, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((1, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
#         cls = Module
#         h = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         most: R.Tensor((6, 4), dtype="float32") = R.memory.view(h, R.shape([6, 4]), R.dtype("float32"), 0)
#         first: R.Tensor((2, 4), dtype="float32") = R.memory.view(most, R.shape([2, 4]), R.dtype("float32"), 16)
#         g = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         many: R.Tensor((6, 4), dtype="float32") = R.memory.view(g, R.shape([6, 4]), R.dtype("float32"), 0)
#         few = R.call_tir(cls.strided_slice_5, (g,), out_ty=R.Tensor((1, 4), dtype="float32"))
#         a = R.call_tir(cls.matmul, (h, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         b = R.call_tir(cls.matmul_3, (many, w), out_ty=R.Tensor((6, 4), dtype="float32"))
#         c = R.call_tir(cls.matmul, (g, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         d = R.call_tir(cls.matmul_1, (few, w), out_ty=R.Tensor((1, 4), dtype="float32"))
#         e = R.call_tir(cls.matmul_4, (first, w), out_ty=R.Tensor((2, 4), dtype="float32"))
#         return (a, b, c, d, e)
#
#     @R.function
#     def main(x: R.Tensor((8, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((1, 4), dtype="float32"), R.Tensor((8, 4), dtype="float32"), R.Tensor((1, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((1, 4), dtype="float32")):
#         cls = Module
#         h = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         last = R.call_tir(cls.strided_slice, (h,), out_ty=R.Tensor((1, 4), dtype="float32"))
#         g = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         half: R.Tensor((4, 4), dtype="float32") = R.memory.view(g, R.shape([4, 4]), R.dtype("float32"), 64)
#         k = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         early: R.Tensor((1, 4), dtype="float32") = R.memory.view(k, R.shape([1, 4]), R.dtype("float32"), 0)
#         a = R.call_tir(cls.matmul_1, (early, w), out_ty=R.Tensor((1, 4), dtype="float32"))
#         b = R.call_tir(cls.matmul, (k, w), out_ty=R.Tensor((8, 4), dtype="float32"))
#         c = R.call_tir(cls.matmul_1, (last, w), out_ty=R.Tensor((1, 4), dtype="float32"))
#         d = R.call_tir(cls.matmul_2, (half, w), out_ty=R.Tensor((4, 4), dtype="float32"))
#         row = R.call_tir(cls.strided_slice_2, (x,), out_ty=R.Tensor((1, 4), dtype="float32"))
#         return (a, b, c, d, row)
