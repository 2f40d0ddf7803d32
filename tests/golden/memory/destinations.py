# RUN: opt -p LegalizeOps,ResolveInplace,ToNonDataflow,CallTIRRewrite,PassDestinations
# Results of private functions are made in storage of their callers, of functions that only hand them on, too (`through`).
# What stays: a result that may be a parameter (`either`), one of a function that calls itself (`count`), what an
# operator makes itself (`copied`), and functions that nobody calls (`alone`) or anybody may call (`open`).
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def one(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def through(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        a = cls.one(x)
        b = cls.one(a)
        return b, a

    @R.function(private=True)
    def branch(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        if c:
            y = R.exp(x)
        else:
            y = R.tanh(x)
        return y

    @R.function(private=True)
    def twice(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        y = R.exp(x)
        return y, y

    @R.function(private=True)
    def sized(x: R.Tensor(("n", 4), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor(("n * 8",), "float32"):
        n = T.int64()
        y = R.concat((R.reshape(x, (n * 4,)), R.reshape(R.negative(x), (n * 4,))))
        return y

    @R.function(private=True)
    def either(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        if c:
            y = R.exp(x)
        else:
            y = x
        return y

    @R.function(private=True)
    def count(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            y = cls.count(x, R.const(False, "bool"))
        else:
            y = R.exp(x)
        return y

    @R.function(private=True)
    def copied(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.copy(x)
        return y

    @R.function(private=True)
    def alone(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y

    @R.function
    def open(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32"), m: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        n = T.int64()
        t = cls.through(x)
        a = t[0]
        b = cls.branch(a, c)
        u = cls.twice(b)
        d = cls.either(u[1], c)
        e = cls.count(d, c)
        f = cls.copied(e)
        g = cls.open(f)
        s = cls.sized(m, R.sum(m, axis=[1]))
        return (g, s, t[1])
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
#     def concat(n: T.int64, x0: T.Buffer((n * T.int64(4),), "float32"), x1: T.Buffer((n * T.int64(4),), "float32"), out: T.Buffer((n * T.int64(8),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(n * T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0 = T.axis.spatial(n * T.int64(4), ax0)
#                 T.reads(x0[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x0[v_ax0]
#         for ax0 in range(n * T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0 = T.axis.spatial(n * T.int64(4), ax0)
#                 T.reads(x1[v_ax0])
#                 T.writes(out[v_ax0 + n * T.int64(4)])
#                 out[v_ax0 + n * T.int64(4)] = x1[v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((n, T.int64(4)), "float32"), out: T.Buffer((n,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(n, T.int64(4)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0])
#                 with T.init():
#                     out[v_ax0] = T.float32(0.0)
#                 out[v_ax0] = out[v_ax0] + x[v_ax0, v_k0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
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
#     def tir_tanh(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_tanh"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.tanh(x[v_ax0])
#
#     @R.function(private=True)
#     def alone(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function(private=True)
#     def branch(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool"), y_dest: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [2]})
#         cls = Module
#         if c:
#             y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         else:
#             y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_tanh, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function(private=True)
#     def copied(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         y: R.Tensor((4,), dtype="float32") = R.copy(x)
#         return y
#
#     @R.function(private=True)
#     def count(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         if c:
#             y: R.Tensor((4,), dtype="float32") = cls.count(x, R.const(False, "bool"))
#         else:
#             y_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function(private=True)
#     def either(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         if c:
#             y_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         else:
#             y: R.Tensor((4,), dtype="float32") = x
#         return y
#
#     @R.function(private=True)
#     def one(x: R.Tensor((4,), dtype="float32"), y_dest: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [1]})
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function
#     def open(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function(private=True)
#     def sized(x: R.Tensor((n, 4), dtype="float32"), w: R.Tensor((n,), dtype="float32"), y_dest: R.Tensor(("n * 8",), dtype="float32")) -> R.Tensor(("n * 8",), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [2]})
#         cls = Module
#         gv: R.Tensor((n * 4,), dtype="float32") = R.reshape(x, R.shape([n * 4]))
#         gv1: R.Tensor((n, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 4]), R.dtype("float32"), 0, R.str("global"))
#         gv2: R.Tensor((n, 4), dtype="float32") = R.call_tir_inplace(cls.tir_negative, (x, gv1), out_ty=R.Tensor((n, 4), dtype="float32"), inplace_indices=[1])
#         gv3: R.Tensor((n * 4,), dtype="float32") = R.reshape(gv2, R.shape([n * 4]))
#         y: R.Tensor((n * 8,), dtype="float32") = R.call_tir_inplace(cls.concat, (n, gv, gv3, y_dest), out_ty=R.Tensor((n * 8,), dtype="float32"), inplace_indices=[3])
#         return y
#
#     @R.function(private=True)
#     def through(x: R.Tensor((4,), dtype="float32"), a_dest: R.Tensor((4,), dtype="float32"), b_dest: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [1, 2]})
#         cls = Module
#         a: R.Tensor((4,), dtype="float32") = cls.one(x, a_dest)
#         b: R.Tensor((4,), dtype="float32") = cls.one(a, b_dest)
#         return (b, a)
#
#     @R.function(private=True)
#     def twice(x: R.Tensor((4,), dtype="float32"), y_dest: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [1]})
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return (y, y)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), m: R.Tensor((n, 4), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor(("n * 8",), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         t_dest_1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.through(x, t_dest, t_dest_1)
#         a: R.Tensor((4,), dtype="float32") = t[0]
#         b_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         b: R.Tensor((4,), dtype="float32") = cls.branch(a, c, b_dest)
#         u_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         u: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.twice(b, u_dest)
#         gv: R.Tensor((4,), dtype="float32") = u[1]
#         d: R.Tensor((4,), dtype="float32") = cls.either(gv, c)
#         e: R.Tensor((4,), dtype="float32") = cls.count(d, c)
#         f: R.Tensor((4,), dtype="float32") = cls.copied(e)
#         g: R.Tensor((4,), dtype="float32") = cls.open(f)
#         gv1: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), 0, R.str("global"))
#         gv2: R.Tensor((n,), dtype="float32") = R.call_tir_inplace(cls.sum, (m, gv1), out_ty=R.Tensor((n,), dtype="float32"), inplace_indices=[1])
#         s_dest: R.Tensor((n * 8,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n * 8]), R.dtype("float32"), 0, R.str("global"))
#         s: R.Tensor((n * 8,), dtype="float32") = cls.sized(m, gv2, s_dest)
#         gv3: R.Tensor((4,), dtype="float32") = t[1]
#         return (g, s, gv3)
