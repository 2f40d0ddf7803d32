# RUN: opt -p LegalizeOps,ElideConcat
# Who reads a cache, and out of what. Of two caches what is read of the one behind the first write to the other is in front of the first write to its own whole,
# so that the whole may be updated (`main`); so is what another branch reads. What adds up a part of what it reads would read and
# add up one tensor: then the cache is copied.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(x: T.Buffer(("m", 4), "float32")):
        m = T.int64()
        for i, j in T.grid(m, 4):
            x[i, j] = x[i, j] + T.float32(1)

    @R.function
    def main(past: R.Tensor(("n", 4), "float32"), own: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        n = T.int64()
        cls = Module
        R.func_attr({"relax.inplace_arg": [0, 1], "relax.capacity": {"past": 8, "own": 8}})
        with R.dataflow():
            b = R.exp(new)
            s = R.sum(past)
            a = R.negative(new)
            k = R.concat((past, a), axis=0)
            u = R.call_tir_inplace(cls.inc, (k,), out_ty=R.Tensor((n + 1, 4), "float32"), inplace_indices=[0])
            v = R.concat((own, b), axis=0)
            R.output(v, u, s)
        return (v, u, s)

    @R.function
    def branches(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        cls = Module
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        if c:
            k = R.concat((past, new), axis=0)
            u = R.call_tir_inplace(cls.inc, (k,), out_ty=R.Tensor((n + 1, 4), "float32"), inplace_indices=[0])
            s = R.sum(u)
        else:
            s = R.sum(past)
        return s

    @R.function
    def made_of_it(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        with R.dataflow():
            a = R.sum(past, axis=[0], keepdims=True)
            k = R.concat((past, a, new), axis=0)
            R.output(k)
        return k
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
#     def concat_1_part(x0: T.Buffer((n, T.int64(4)), "float32"), x2: T.Buffer((T.int64(1), T.int64(4)), "float32"), out: T.Buffer(("n + T.int64(2)", T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x0[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x0[v_ax0, v_ax1]
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + (n + T.int64(1)), v_ax1])
#                 out[v_ax0 + (n + T.int64(1)), v_ax1] = x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def concat_part(n: T.int64, x1: T.Buffer((T.int64(1), T.int64(4)), "float32"), out: T.Buffer((n + T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + n, v_ax1])
#                 out[v_ax0 + n, v_ax1] = x1[v_ax0, v_ax1]
#
#     @T.prim_func(private=True)
#     def inc(x: T.Buffer((m, 4), "float32")):
#         for i, j in T.grid(m, 4):
#             x[i, j] = x[i, j] + T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((n, T.int64(4)), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         with T.sblock("sum_red_init"):
#             T.reads()
#             T.writes(out[()])
#             out[()] = T.float32(0.0)
#         for k0, k1 in T.grid(n, T.int64(4)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1 = T.axis.remap("RR", [k0, k1])
#                 T.reads(out[()], x[v_k0, v_k1])
#                 T.writes(out[()])
#                 out[()] = out[()] + x[v_k0, v_k1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum_1(n: T.int64, x: T.Buffer((n + T.int64(1), T.int64(4)), "float32"), out: T.Buffer((), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for k0, k1 in T.grid(n + T.int64(1), T.int64(4)):
#             with T.sblock("sum_red"):
#                 v_k0, v_k1 = T.axis.remap("RR", [k0, k1])
#                 T.reads(x[v_k0, v_k1])
#                 T.writes(out[()])
#                 with T.init():
#                     out[()] = T.float32(0.0)
#                 out[()] = out[()] + x[v_k0, v_k1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum_2_part(x: T.Buffer((n, T.int64(4)), "float32"), out: T.Buffer(("n + T.int64(2)", T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("sum_red_init"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads()
#                 T.writes(out[T.Add(T.int64(0), n), v_ax0])
#                 out[T.Add(T.int64(0), n), v_ax0] = T.float32(0.0)
#         for k0, ax0 in T.grid(n, T.int64(4)):
#             with T.sblock("sum_red"):
#                 v_k0, v_ax0 = T.axis.remap("RS", [k0, ax0])
#                 T.reads(out[T.Add(T.int64(0), n), v_ax0], x[v_k0, v_ax0])
#                 T.writes(out[T.Add(T.int64(0), n), v_ax0])
#                 out[T.Add(T.int64(0), n), v_ax0] = out[T.Add(T.int64(0), n), v_ax0] + x[v_k0, v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp_part(n: T.int64, x: T.Buffer((T.int64(1), T.int64(4)), "float32"), out: T.Buffer((n + T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + n, v_ax1])
#                 out[v_ax0 + n, v_ax1] = T.exp(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_part(n: T.int64, x: T.Buffer((T.int64(1), T.int64(4)), "float32"), out: T.Buffer((n + T.int64(1), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + n, v_ax1])
#                 out[v_ax0 + n, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def branches(past: R.Tensor((n, 4), dtype="float32"), new: R.Tensor((1, 4), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="float32"):
#         R.func_attr({"relax.capacity": {"past": 8}, "relax.inplace_arg": [0]})
#         cls = Module
#         if c:
#             k_dest: R.Tensor((n + 1, 4), dtype="float32") = R.memory.view(past, R.shape([n + 1, 4]), R.dtype("float32"), 0)
#             k: R.Tensor((n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.concat_part, (new, k_dest, n), out_ty=R.Tensor((n + 1, 4), dtype="float32"), inplace_indices=[1])
#             u: R.Tensor((n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.inc, (k,), out_ty=R.Tensor((n + 1, 4), dtype="float32"), inplace_indices=[0])
#             s = R.call_tir(cls.sum_1, (n, u), out_ty=R.Tensor((), dtype="float32"))
#         else:
#             s = R.call_tir(cls.sum, (past,), out_ty=R.Tensor((), dtype="float32"))
#         return s
#
#     @R.function
#     def made_of_it(past: R.Tensor((n, 4), dtype="float32"), new: R.Tensor((1, 4), dtype="float32")) -> R.Tensor(("n + 2", 4), dtype="float32"):
#         R.func_attr({"relax.capacity": {"past": 8}, "relax.inplace_arg": [0]})
#         cls = Module
#         with R.dataflow():
#             k_dest: R.Tensor((n + 2, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n + 2, 4]), R.dtype("float32"), 0, R.str("global"))
#             a: R.Tensor((n + 2, 4), dtype="float32") = R.call_tir_inplace(cls.sum_2_part, (past, k_dest), out_ty=R.Tensor((n + 2, 4), dtype="float32"), inplace_indices=[1])
#             k: R.Tensor((n + 2, 4), dtype="float32") = R.call_tir_inplace(cls.concat_1_part, (past, new, a), out_ty=R.Tensor((n + 2, 4), dtype="float32"), inplace_indices=[2])
#             R.output(k)
#         return k
#
#     @R.function
#     def main(past: R.Tensor((n, 4), dtype="float32"), own: R.Tensor((n, 4), dtype="float32"), new: R.Tensor((1, 4), dtype="float32")) -> R.Tuple(R.Tensor(("n + 1", 4), dtype="float32"), R.Tensor(("n + 1", 4), dtype="float32"), R.Tensor((), dtype="float32")):
#         R.func_attr({"relax.capacity": {"own": 8, "past": 8}, "relax.inplace_arg": [0, 1]})
#         cls = Module
#         v_dest: R.Tensor((n + 1, 4), dtype="float32") = R.memory.view(own, R.shape([n + 1, 4]), R.dtype("float32"), 0)
#         k_dest: R.Tensor((n + 1, 4), dtype="float32") = R.memory.view(past, R.shape([n + 1, 4]), R.dtype("float32"), 0)
#         with R.dataflow():
#             v: R.Tensor((n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.tir_exp_part, (new, v_dest, n), out_ty=R.Tensor((n + 1, 4), dtype="float32"), inplace_indices=[1])
#             s = R.call_tir(cls.sum, (past,), out_ty=R.Tensor((), dtype="float32"))
#             k: R.Tensor((n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.tir_negative_part, (new, k_dest, n), out_ty=R.Tensor((n + 1, 4), dtype="float32"), inplace_indices=[1])
#             u: R.Tensor((n + 1, 4), dtype="float32") = R.call_tir_inplace(cls.inc, (k,), out_ty=R.Tensor((n + 1, 4), dtype="float32"), inplace_indices=[0])
#             R.output(u, s, v)
#         return (v, u, s)
