# RUN: opt -p LegalizeOps,ElideConcat
# Loops that move rows run backwards; rows of the first head stay where they are, and rows themselves run in lanes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 1, 2), "float32"), past: R.Tensor((1, 2, "n", 2), "float32"), y: R.Tensor((2, 2), "float32"), c: R.Tensor((2, "m"), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"relax.inplace_arg": [1, 3], "relax.capacity": {"past": 4, "c": 8}})
        with R.dataflow():
            before = R.sum(past)
            k = R.concat((past, R.negative(x)), axis=2)
            s = R.sum(k)
            d = R.concat((c, y), axis=1)
            R.output(before, k, s, d)
        return (before, k, s, d)

# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# m = TypeVar("m")
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def concat_1_backwards(x0: T.Buffer((T.int64(2), m), "float32"), x1: T.Buffer((T.int64(2), T.int64(2)), "float32"), out: T.Buffer((T.int64(2), "m + T.int64(2)"), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), m):
#             with T.sblock("T_concat"):
#                 v_ax0 = T.axis.spatial(T.int64(2), T.int64(1) - ax0)
#                 v_ax1 = T.axis.spatial(m, m - ax1 - T.int64(1))
#                 T.reads(x0[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x0[v_ax0, v_ax1]
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(2)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1 + m])
#                 out[v_ax0, v_ax1 + m] = x1[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def concat_backwards(x0: T.Buffer((T.int64(1), T.int64(2), n, T.int64(2)), "float32"), x1: T.Buffer((T.int64(1), T.int64(2), T.int64(1), T.int64(2)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), "n + T.int64(1)", T.int64(2)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), n):
#             for ax3 in T.vectorized(T.int64(2)):
#                 with T.sblock("T_concat"):
#                     v_ax0 = T.axis.spatial(T.int64(1), ax0 * T.int64(-1))
#                     v_ax1 = T.axis.spatial(T.int64(2), T.int64(1) - ax1)
#                     v_ax2 = T.axis.spatial(n, n - ax2 - T.int64(1))
#                     v_ax3 = T.axis.spatial(T.int64(2), ax3)
#                     T.reads(x0[v_ax0, v_ax1, v_ax2, v_ax3])
#                     T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                     out[v_ax0, v_ax1, v_ax2, v_ax3] = x0[v_ax0, v_ax1, v_ax2, v_ax3]
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(1), T.int64(2)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2 + n, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2 + n, v_ax3] = x1[v_ax0, v_ax1, v_ax2, v_ax3]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(1), T.int64(2), n, T.int64(2)), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         with T.sblock("sum_red_init"):
#             T.reads()
#             T.writes(out[()])
#             out[()] = T.float32(0.0)
#         for k0, k1, k2, k3 in T.grid(T.int64(1), T.int64(2), n, T.int64(2)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1, v_k2, v_k3 = T.axis.remap("RRRR", [k0, k1, k2, k3])
#                 T.reads(out[()], x[v_k0, v_k1, v_k2, v_k3])
#                 T.writes(out[()])
#                 out[()] = out[()] + x[v_k0, v_k1, v_k2, v_k3]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum_1(n: T.int64, x: T.Buffer((T.int64(1), T.int64(2), n + T.int64(1), T.int64(2)), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for k0, k1, k2, k3 in T.grid(T.int64(1), T.int64(2), n + T.int64(1), T.int64(2)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1, v_k2, v_k3 = T.axis.remap("RRRR", [k0, k1, k2, k3])
#                 T.reads(x[v_k0, v_k1, v_k2, v_k3])
#                 T.writes(out[()])
#                 with T.init():
#                     out[()] = T.float32(0.0)
#                 out[()] = out[()] + x[v_k0, v_k1, v_k2, v_k3]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((T.int64(1), T.int64(2), T.int64(1), T.int64(2)), "float32"), out: T.Buffer((T.int64(1), T.int64(2), T.int64(1), T.int64(2)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2, ax3 in T.grid(T.int64(1), T.int64(2), T.int64(1), T.int64(2)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
#                 T.reads(x[v_ax0, v_ax1, v_ax2, v_ax3])
#                 T.writes(out[v_ax0, v_ax1, v_ax2, v_ax3])
#                 out[v_ax0, v_ax1, v_ax2, v_ax3] = x[v_ax0, v_ax1, v_ax2, v_ax3] * T.float32(-1.0)
#
#     @R.function
#     def main(x: R.Tensor((1, 2, 1, 2), dtype="float32"), past: R.Tensor((1, 2, n, 2), dtype="float32"), y: R.Tensor((2, 2), dtype="float32"), c: R.Tensor((2, m), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((1, 2, "n + 1", 2), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((2, "m + 2"), dtype="float32")):
#         R.func_attr({"relax.capacity": {"c": 8, "past": 4}, "relax.inplace_arg": [1, 3]})
#         cls = Module
#         k_dest: R.Tensor((1, 2, n + 1, 2), dtype="float32") = R.memory.view(past, R.shape([1, 2, n + 1, 2]), R.dtype("float32"), 0)
#         d_dest: R.Tensor((2, m + 2), dtype="float32") = R.memory.view(c, R.shape([2, m + 2]), R.dtype("float32"), 0)
#         with R.dataflow():
#             before = R.call_tir(cls.sum, (past,), out_ty=R.Tensor((), dtype="float32"))
#             lv = R.call_tir(cls.tir_negative, (x,), out_ty=R.Tensor((1, 2, 1, 2), dtype="float32"))
#             k: R.Tensor((1, 2, n + 1, 2), dtype="float32") = R.call_tir_inplace(cls.concat_backwards, (past, lv, k_dest), out_ty=R.Tensor((1, 2, n + 1, 2), dtype="float32"), inplace_indices=[2])
#             s = R.call_tir(cls.sum_1, (n, k), out_ty=R.Tensor((), dtype="float32"))
#             d: R.Tensor((2, m + 2), dtype="float32") = R.call_tir_inplace(cls.concat_1_backwards, (c, y, d_dest), out_ty=R.Tensor((2, m + 2), dtype="float32"), inplace_indices=[2])
#             R.output(before, k, s, d)
#         return (before, k, s, d)
