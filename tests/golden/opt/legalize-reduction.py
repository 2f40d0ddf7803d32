# RUN: opt -p LegalizeOps
# A sum becomes a block with a reduction axis and an init.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        z = R.sum(x, axis=[1])
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), out: T.Buffer((T.int64(2),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(2), T.int64(3)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0])
#                 with T.init():
#                     out[v_ax0] = T.float32(0.0)
#                 out[v_ax0] = out[v_ax0] + x[v_ax0, v_k0]
#
#     @R.function
#     def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
#         cls = Module
#         z = R.call_tir(cls.sum, (x,), out_ty=R.Tensor((2,), dtype="float32"))
#         return z
