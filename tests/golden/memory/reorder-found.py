# RUN: opt -p LegalizeOps,ReorderForPeak
# What the loops of a kernel let it take over is not held twice: `d` runs in `a` and needs nothing beside `b`, so that the
# 4096 + 1024 + 64 bytes of `r` are the most as it stands.  With storage for itself it would have to come in front of `b`.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def first(b: T.Buffer((32, 32), "float32"), d: T.Buffer((16, 16), "float32"), out: T.Buffer((), "float32")):
        with T.sblock("first"):
            out[()] = b[0, 0] + d[0, 0]

    @R.function
    def main(x: R.Tensor((16, 16), "float32"), y: R.Tensor((32, 32), "float32")) -> R.Tensor((), "float32"):
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = R.log(y)
            d = R.add(a, a)
            r = R.call_tir(cls.first, (b, d), out_ty=R.Tensor((), "float32"))
            R.output(r)
        return r
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
#     def first(b: T.Buffer((32, 32), "float32"), d: T.Buffer((16, 16), "float32"), out: T.Buffer((), "float32")):
#         with T.sblock("first"):
#             T.reads()
#             T.writes()
#             out[()] = b[0, 0] + d[0, 0]
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
#     def tir_log(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), out: T.Buffer((T.int64(32), T.int64(32)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(32), T.int64(32)):
#             with T.sblock("T_tir_log"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.log(x[v_ax0, v_ax1])
#
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32"), y: R.Tensor((32, 32), dtype="float32")) -> R.Tensor((), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((16, 16), dtype="float32"))
#             b = R.call_tir(cls.tir_log, (y,), out_ty=R.Tensor((32, 32), dtype="float32"))
#             d = R.call_tir(cls.add, (a, a), out_ty=R.Tensor((16, 16), dtype="float32"))
#             r = R.call_tir(cls.first, (b, d), out_ty=R.Tensor((), dtype="float32"))
#             R.output(r)
#         return r
