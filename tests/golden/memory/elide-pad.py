# RUN: opt -p LegalizeOps,ElideConcat
# A padding fills its border, in loops of their own; one nest that chooses between operands is a join, but where elements choose.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def join(x: T.Buffer((2,), "float32"), y: T.Buffer((3,), "float32"), out: T.Buffer((5,), "float32")):
        for i in range(5):
            out[i] = T.if_then_else(i < 2, x[i], y[i - 2])

    @T.prim_func(private=True)
    def ends(x: T.Buffer((2,), "float32"), c: T.Buffer((1,), "float32"), out: T.Buffer((5,), "float32")):
        for i in range(5):
            out[i] = T.if_then_else(T.float32(0) < c[0], T.float32(1), T.if_then_else(1 <= i and i < 3, x[i - 1], T.float32(9)))

    @R.function
    def main(a: R.Tensor(("n", 3), "float32"), b: R.Tensor((2,), "float32"), c: R.Tensor((3,), "float32"), d: R.Tensor((1,), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            p = R.nn.pad(R.negative(a), (1, 1, 2, 0))
            j = R.call_tir(cls.join, (R.negative(b), R.abs(c)), out_ty=R.Tensor((5,), "float32"))
            e = R.call_tir(cls.ends, (R.abs(b), d), out_ty=R.Tensor((5,), "float32"))
            R.output(p, j, e)
        return (p, j, e)

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
#     @T.prim_func(private=True)
#     def ends(x: T.Buffer((2,), "float32"), c: T.Buffer((1,), "float32"), out: T.Buffer((5,), "float32")):
#         for i in range(5):
#             out[i] = T.if_then_else(T.float32(0.0) < c[0], T.float32(1.0), T.if_then_else(1 <= i and i < 3, x[i - 1], T.float32(9.0)))
#
#     @T.prim_func(private=True, s_tir=True)
#     def pad_part(n: T.int64, out: T.Buffer((n + T.int64(2), T.int64(5)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         for ax1 in range(T.int64(5)):
#             out[T.int64(0), ax1] = T.float32(0.0)
#         for ax0 in range(T.int64(1), T.int64(1) + n):
#             for ax1 in range(T.int64(2)):
#                 out[ax0, ax1] = T.float32(0.0)
#         for ax1 in range(T.int64(5)):
#             out[n + T.int64(1), ax1] = T.float32(0.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs_1(x: T.Buffer((T.int64(2),), "float32"), out: T.Buffer((T.int64(2),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.fabs(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs_part(x: T.Buffer((T.int64(3),), "float32"), out: T.Buffer((T.int64(5),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(3)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(3), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0 + T.int64(2)])
#                 out[v_ax0 + T.int64(2)] = T.fabs(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_1_part(x: T.Buffer((T.int64(2),), "float32"), out: T.Buffer((T.int64(5),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_part(x: T.Buffer((n, T.int64(3)), "float32"), out: T.Buffer(("n + T.int64(2)", T.int64(5)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(3)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + T.int64(1), v_ax1 + T.int64(2)])
#                 out[v_ax0 + T.int64(1), v_ax1 + T.int64(2)] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def main(a: R.Tensor((n, 3), dtype="float32"), b: R.Tensor((2,), dtype="float32"), c: R.Tensor((3,), dtype="float32"), d: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor(("n + 2", 5), dtype="float32"), R.Tensor((5,), dtype="float32"), R.Tensor((5,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             p_dest: R.Tensor((n + 2, 5), dtype="float32") = R.builtin.alloc_tensor(R.shape([n + 2, 5]), R.dtype("float32"), 0, R.str("global"))
#             lv: R.Tensor((n + 2, 5), dtype="float32") = R.call_tir_inplace(cls.tir_negative_part, (a, p_dest), out_ty=R.Tensor((n + 2, 5), dtype="float32"), inplace_indices=[1])
#             p: R.Tensor((n + 2, 5), dtype="float32") = R.call_tir_inplace(cls.pad_part, (lv, n), out_ty=R.Tensor((n + 2, 5), dtype="float32"), inplace_indices=[0])
#             j_dest: R.Tensor((5,), dtype="float32") = R.builtin.alloc_tensor(R.shape([5]), R.dtype("float32"), 0, R.str("global"))
#             lv1: R.Tensor((5,), dtype="float32") = R.call_tir_inplace(cls.tir_negative_1_part, (b, j_dest), out_ty=R.Tensor((5,), dtype="float32"), inplace_indices=[1])
#             j: R.Tensor((5,), dtype="float32") = R.call_tir_inplace(cls.tir_abs_part, (c, lv1), out_ty=R.Tensor((5,), dtype="float32"), inplace_indices=[1])
#             lv2 = R.call_tir(cls.tir_abs_1, (b,), out_ty=R.Tensor((2,), dtype="float32"))
#             e = R.call_tir(cls.ends, (lv2, d), out_ty=R.Tensor((5,), dtype="float32"))
#             R.output(e, p, j)
#         return (p, j, e)
