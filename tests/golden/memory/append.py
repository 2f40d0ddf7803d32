# RUN: opt -p LegalizeOps,ElideConcat
# Both caches have room: keys and values are written behind them by what makes them; attention reads the whole.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 8), "float32"), wk: R.Tensor((8, 4), "float32"), past_k: R.Tensor((1, "n", 4), "float32"), past_v: R.Tensor((1, "n", 4), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [2, 3], "relax.capacity": {"past_k": 64}, "tir_var_upper_bound": {"n": 32}})
        with R.dataflow():
            before = R.sum(past_k)
            new_k = R.reshape(R.matmul(x, wk), (1, 1, 4))
            new_v = R.negative(new_k)
            k = R.concat((past_k, new_k), axis=1)
            v = R.concat((past_v, new_v), axis=1)
            s = R.add(k, v)
            R.output(before, k, v, s)
        return (before, k, v, s)

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
#     def add(n: T.int64, x1: T.Buffer((T.int64(1), n + T.int64(1), T.int64(4)), "float32"), x2: T.Buffer((T.int64(1), n + T.int64(1), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), n + T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(1), n + T.int64(1), T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2], x2[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1, v_ax2])
#                 out[v_ax0, v_ax1, v_ax2] = x1[v_ax0, v_ax1, v_ax2] + x2[v_ax0, v_ax1, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def concat_part(n: T.int64, x1: T.Buffer((T.int64(1), T.int64(1), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), n + T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x1[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1 + n, v_ax2])
#                 out[v_ax0, v_ax1 + n, v_ax2] = x1[v_ax0, v_ax1, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(1), T.int64(8)), "float32"), x2: T.Buffer((T.int64(8), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(1), T.int64(8), T.int64(4)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(1), n, T.int64(4)), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         with T.sblock("sum_red_init"):
#             T.reads()
#             T.writes(out[()])
#             out[()] = T.float32(0.0)
#         for k0, k1, k2 in T.grid(T.int64(1), n, T.int64(4)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1, v_k2 = T.axis.remap("RRR", [k0, k1, k2])
#                 T.reads(out[()], x[v_k0, v_k1, v_k2])
#                 T.writes(out[()])
#                 out[()] = out[()] + x[v_k0, v_k1, v_k2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_part(n: T.int64, x: T.Buffer((T.int64(1), T.int64(1), T.int64(4)), "float32"), out: T.Buffer((T.int64(1), n + T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(1), T.int64(1), T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(x[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1 + n, v_ax2])
#                 out[v_ax0, v_ax1 + n, v_ax2] = x[v_ax0, v_ax1, v_ax2] * T.float32(-1.0)
#
#     @R.function
#     def main(x: R.Tensor((1, 8), dtype="float32"), wk: R.Tensor((8, 4), dtype="float32"), past_k: R.Tensor((1, n, 4), dtype="float32"), past_v: R.Tensor((1, n, 4), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((1, "n + 1", 4), dtype="float32"), R.Tensor((1, "n + 1", 4), dtype="float32"), R.Tensor((1, "n + 1", 4), dtype="float32")):
#         R.func_attr({"relax.capacity": {"past_k": 64}, "relax.inplace_arg": [2, 3], "tir_var_upper_bound": {"n": 32}})
#         cls = Module
#         v_dest: R.Tensor((1, n + 1, 4), dtype="float32") = R.memory.view(past_v, R.shape([1, n + 1, 4]), R.dtype("float32"), 0)
#         k_dest: R.Tensor((1, n + 1, 4), dtype="float32") = R.memory.view(past_k, R.shape([1, n + 1, 4]), R.dtype("float32"), 0)
#         with R.dataflow():
#             before = R.call_tir(cls.sum, (past_k,), out_ty=R.Tensor((), dtype="float32"))
#             lv = R.call_tir(cls.matmul, (x, wk), out_ty=R.Tensor((1, 4), dtype="float32"))
#             new_k: R.Tensor((1, 1, 4), dtype="float32") = R.reshape(lv, R.shape([1, 1, 4]))
#             v: R.Tensor((1, n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.tir_negative_part, (new_k, v_dest, n), out_ty=R.Tensor((1, n + 1, 4), dtype="float32"), inplace_indices=[1])
#             k: R.Tensor((1, n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.concat_part, (new_k, k_dest, n), out_ty=R.Tensor((1, n + 1, 4), dtype="float32"), inplace_indices=[1])
#             s = R.call_tir(cls.add, (n, k, v), out_ty=R.Tensor((1, n + 1, 4), dtype="float32"))
#             R.output(before, s, k, v)
#         return (before, k, v, s)
