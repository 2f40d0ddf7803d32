# RUN: opt -p LegalizeOps,LowerIntrin(fma="off")
# Without fused multiply-add: products and sums. What is used twice is bound with T.Let.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        return R.exp(x)
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
#     def tir_exp(x: T.Buffer((n,), "float32"), out: T.Buffer((n,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         x_1 = T.float32()
#         x_2 = T.float32()
#         x_3 = T.float32()
#         t = T.float32()
#         n_1 = T.float32()
#         r = T.float32()
#         n_2 = T.int32()
#         half = T.int32()
#         # with T.sblock("root"):
#         for ax0 in range(n):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(n, ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.Let(T.Let(T.Let(T.Let(T.Let(T.Let(T.Let(T.Let((r * r * ((((T.float32(0.0013838902814313769) * r + T.float32(0.0083691924810409546)) * r + T.float32(0.041668102145195007)) * r + T.float32(0.16666516661643982)) * r + T.float32(0.49999994039535522)) + r + T.float32(1.0)) * T.reinterpret("float32", half + 127 << 23) * T.reinterpret("float32", n_2 - half + 127 << 23), where={half: n_2 >> 1}), where={n_2: T.reinterpret("int32", t) - 1262485504}), where={r: n_1 * T.float32(-1.428606765330187e-06) + (n_1 * T.float32(-0.693145751953125) + x_3)}), where={n_1: t - T.float32(12582912.0)}), where={t: x_3 * T.float32(1.4426950216293335) + T.float32(12582912.0)}), where={x_3: T.Select(x_2 < T.float32(-104.0), T.float32(-104.0), x_2)}), where={x_2: T.Select(x_1 > T.float32(89.0), T.float32(89.0), x_1)}), where={x_1: x[v_ax0]})
#
#     @R.function
#     def main(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
#         cls = Module
#         gv = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((n,), dtype="float32"))
#         return gv
