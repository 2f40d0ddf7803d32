# RUN: opt -p LegalizeOps,ToNonDataflow,Rematerialize(max_arena=5120)
# `b` is made of `x` by two kernels, and nothing else reads `a`: both run again behind `c` (`main`). Where `a` and `b` have no
# room together at the late use, both stay (`full`); a product on the way is not cheap (`dear`).
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32")):
        a = R.exp(x)
        b = R.negative(a)
        c = R.matmul(b, w)
        d = R.matmul(c, v)
        e = R.matmul(b, d)
        return e

    @R.function
    def full(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32"), u: R.Tensor((16, 28), "float32")):
        a = R.exp(x)
        b = R.negative(a)
        c = R.matmul(b, w)
        d = R.matmul(c, v)
        f = R.matmul(d, u)
        e = R.matmul(b, f)
        return e

    @R.function
    def dear(x: R.Tensor((16, 16), "float32"), w: R.Tensor((16, 64), "float32"), v: R.Tensor((64, 16), "float32")):
        a = R.matmul(x, x)
        b = R.negative(a)
        c = R.matmul(b, w)
        d = R.matmul(c, v)
        e = R.matmul(b, d)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(64)), "float32"), out: T.Buffer((T.int64(16), T.int64(64)), "float32")):
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
#     def matmul_1(x1: T.Buffer((T.int64(16), T.int64(64)), "float32"), x2: T.Buffer((T.int64(64), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
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
#     def matmul_2(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
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
#     def matmul_3(x1: T.Buffer((T.int64(16), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(28)), "float32"), out: T.Buffer((T.int64(16), T.int64(28)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(16), T.int64(16), T.int64(28)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
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
#     def tir_negative(x: T.Buffer((T.int64(16), T.int64(16)), "float32"), out: T.Buffer((T.int64(16), T.int64(16)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(16), T.int64(16)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def dear(x: R.Tensor((16, 16), dtype="float32"), w: R.Tensor((16, 64), dtype="float32"), v: R.Tensor((64, 16), dtype="float32")) -> R.Tensor((16, 16), dtype="float32"):
#         cls = Module
#         a = R.call_tir(cls.matmul_2, (x, x), out_ty=R.Tensor((16, 16), dtype="float32"))
#         b = R.call_tir(cls.tir_negative, (a,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         c = R.call_tir(cls.matmul, (b, w), out_ty=R.Tensor((16, 64), dtype="float32"))
#         d = R.call_tir(cls.matmul_1, (c, v), out_ty=R.Tensor((16, 16), dtype="float32"))
#         e = R.call_tir(cls.matmul_2, (b, d), out_ty=R.Tensor((16, 16), dtype="float32"))
#         return e
#
#     @R.function
#     def full(x: R.Tensor((16, 16), dtype="float32"), w: R.Tensor((16, 64), dtype="float32"), v: R.Tensor((64, 16), dtype="float32"), u: R.Tensor((16, 28), dtype="float32")) -> R.Tensor((16, 28), dtype="float32"):
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         b = R.call_tir(cls.tir_negative, (a,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         c = R.call_tir(cls.matmul, (b, w), out_ty=R.Tensor((16, 64), dtype="float32"))
#         d = R.call_tir(cls.matmul_1, (c, v), out_ty=R.Tensor((16, 16), dtype="float32"))
#         f = R.call_tir(cls.matmul_3, (d, u), out_ty=R.Tensor((16, 28), dtype="float32"))
#         e = R.call_tir(cls.matmul_3, (b, f), out_ty=R.Tensor((16, 28), dtype="float32"))
#         return e
#
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32"), w: R.Tensor((16, 64), dtype="float32"), v: R.Tensor((64, 16), dtype="float32")) -> R.Tensor((16, 16), dtype="float32"):
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         b = R.call_tir(cls.tir_negative, (a,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         c = R.call_tir(cls.matmul, (b, w), out_ty=R.Tensor((16, 64), dtype="float32"))
#         d = R.call_tir(cls.matmul_1, (c, v), out_ty=R.Tensor((16, 16), dtype="float32"))
#         a_1 = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         b_1 = R.call_tir(cls.tir_negative, (a_1,), out_ty=R.Tensor((16, 16), dtype="float32"))
#         e = R.call_tir(cls.matmul_2, (b_1, d), out_ty=R.Tensor((16, 16), dtype="float32"))
#         return e
