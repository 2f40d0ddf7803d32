# RUN: opt -p LegalizeOps,ToNonDataflow,Rematerialize(max_arena=1024)
# Nothing fits, and nothing can be done: `a` is a product; `b` is cheap, but made of `a`, which nobody reads later; `c` is returned;
# `u` is written in place; `p` could be computed again out of `q` only if that were still what it was.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((16, 16), "float32")):
        for i, j in T.grid(16, 16):
            with T.sblock("double"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] * T.float32(2)

    @R.function
    def main(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32")) -> R.Tuple(R.Tensor((16, 16), "float32"), R.Tensor((16, 16), "float32"), R.Tensor((16, 16), "float32"), R.Tensor((16, 16), "float32")):
        cls = Module
        a = R.matmul(x, x)
        b = R.exp(a)
        c = R.log(x)
        u = R.sin(x)
        q = R.cos(x)
        p = R.exp(q)
        f = R.matmul(p, x)
        wide = R.matmul(b, w)
        g = R.matmul(wide, v)
        h = R.add(b, g)
        u1 = R.call_tir_inplace(cls.double, (u,), out_ty=R.Tensor((16, 16), "float32"), inplace_indices=[0])
        q1 = R.call_tir_inplace(cls.double, (q,), out_ty=R.Tensor((16, 16), "float32"), inplace_indices=[0])
        k = R.matmul(p, f)
        n = R.matmul(k, q1)
        return (c, h, u1, n)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def double(a: T.Buffer((16, 16), "float32")):
#         # with T.sblock("root"):
#         for i, j in T.grid(16, 16):
#             with T.sblock("double"):
#                 v_i, v_j = T.axis.remap("SS", [i, j])
#                 T.reads(a[v_i, v_j])
#                 T.writes(a[v_i, v_j])
#                 a[v_i, v_j] = a[v_i, v_j] * T.float32(2.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(16), T.int64(16), T.int64(16)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(64)), "float32"), out: T.Buffer((T.int64(16), T.int64(64)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(16), T.int64(16), T.int64(64)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_2(x1: T.Buffer((T.int64(16), T.int64(64)), "float32"), x2: T.Buffer((T.int64(64), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(16), T.int64(64), T.int64(16)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_cos(x: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("T_tir_cos"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.cos(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_log(x: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("T_tir_log"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.log(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_sin(x: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("T_tir_sin"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.sin(x[v_ax0, v_ax1])
#
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32"), w: R.Tensor((16, 64), dtype="float32"), v: R.Tensor((64, 16), dtype="float32")) -> R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")):
#         cls = Module
#         a = R.call_tir(cls.matmul, (x, x), out_ty=R.Tensor((16, 16), dtype="float32"))
#         b = R.call_tir(cls.tir_exp, (a,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         c = R.call_tir(cls.tir_log, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         u = R.call_tir(cls.tir_sin, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         q = R.call_tir(cls.tir_cos, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         p = R.call_tir(cls.tir_exp, (q,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         f = R.call_tir(cls.matmul, (p, x), out_ty=R.Tensor((16, 16), dtype="float32"))
#         wide = R.call_tir(cls.matmul_1, (b, w), out_ty=R.Tensor((16, 64), dtype="float32"))
#         g = R.call_tir(cls.matmul_2, (wide, v), out_ty=R.Tensor((16, 16), dtype="float32"))
#         h = R.call_tir(cls.add, (b, g), out_ty=R.Tensor((16, 16), dtype="float32"))
#         u1: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.double, (u,), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[0])
#         q1: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.double, (q,), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[0])
#         k = R.call_tir(cls.matmul, (p, f), out_ty=R.Tensor((16, 16), dtype="float32"))
#         n = R.call_tir(cls.matmul, (k, q1), out_ty=R.Tensor((16, 16), dtype="float32"))
#         return (c, h, u1, n)
