# RUN: opt -p LegalizeOps,ElideConcat
# What is cut and joined again in order is what it was; in another order it is cut to where it is joined; so are two of three pieces.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor((6,), "float32")):
        with R.dataflow():
            e = R.negative(a)
            s = R.split(e, 2, axis=1)
            same = R.concat((s[0], s[1]), axis=1)
            t = R.split(R.abs(a), 2, axis=1)
            swapped = R.concat((t[1], t[0]), axis=1)
            u = R.split(R.negative(b), 3)
            ends = R.concat((u[0], u[2]))
            middle = u[1]
            R.output(same, swapped, ends, middle)
        return (same, swapped, ends, middle)

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
#     def split_1_part(x: T.Buffer((T.int64(6),), "float32"), out2: T.Buffer((T.int64(4),), "float32"), out1: T.Buffer((T.int64(2),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_split"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out2[v_ax0])
#                 out2[v_ax0] = x[v_ax0]
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_split"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x[v_ax0 + T.int64(2)])
#                 T.writes(out1[v_ax0])
#                 out1[v_ax0] = x[v_ax0 + T.int64(2)]
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_split"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x[v_ax0 + T.int64(4)])
#                 T.writes(out2[v_ax0 + T.int64(2)])
#                 out2[v_ax0 + T.int64(2)] = x[v_ax0 + T.int64(4)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def split_part(x: T.Buffer((n, T.int64(4)), "float32"), out1: T.Buffer((n, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_split"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out1[v_ax0, v_ax1 + T.int64(2)])
#                 out1[v_ax0, v_ax1 + T.int64(2)] = x[v_ax0, v_ax1]
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_split"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1 + T.int64(2)])
#                 T.writes(out1[v_ax0, v_ax1])
#                 out1[v_ax0, v_ax1] = x[v_ax0, v_ax1 + T.int64(2)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs(x: T.Buffer((n, T.int64(4)), "float32"), out: T.Buffer((n, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(4)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.fabs(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((n, T.int64(4)), "float32"), out: T.Buffer((n, T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_1(x: T.Buffer((T.int64(6),), "float32"), out: T.Buffer((T.int64(6),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(6)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(6), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0] * T.float32(-1.0)
#
#     @R.function
#     def main(a: R.Tensor((n, 4), dtype="float32"), b: R.Tensor((6,), dtype="float32")) -> R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             e = R.call_tir(cls.tir_negative, (a,), out_ty=R.Tensor((n, 4), dtype="float32"))
#             lv = R.call_tir(cls.tir_abs, (a,), out_ty=R.Tensor((n, 4), dtype="float32"))
#             swapped_dest: R.Tensor((n, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), 0, R.str("global"))
#             swapped: R.Tensor((n, 4), dtype="float32") = R.call_tir_inplace(cls.split_part, (lv, swapped_dest), out_ty=R.Tensor((n, 4), dtype="float32"), inplace_indices=[1])
#             lv1 = R.call_tir(cls.tir_negative_1, (b,), out_ty=R.Tensor((6,), dtype="float32"))
#             ends_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             lv2: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.call_tir_inplace(cls.split_1_part, (lv1, ends_dest), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")], inplace_indices=[1, -1])
#             ends: R.Tensor((4,), dtype="float32") = lv2[0]
#             middle: R.Tensor((2,), dtype="float32") = lv2[1]
#             R.output(e, swapped, middle, ends)
#         return (e, swapped, ends, middle)
