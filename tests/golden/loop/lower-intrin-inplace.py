# RUN: opt -p LegalizeOps,LowerIntrin(fma="on"),ResolveInplace
# Loads stay in their stores: the call is still proved to work in place, and no copy is made.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def squash(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = T.rsqrt(x[i]) + x[i]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        with R.dataflow():
            a = R.abs(x)
            b = R.call_tir_inplace(Module.squash, (a, a), out_ty=R.Tensor((8,), "float32"), inplace_indices=[1])
            R.output(b)
        return b
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def squash(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
#         x_1 = T.float32()
#         for i in range(8):
#             y[i] = T.Let(T.float32(1.0) / T.sqrt(x_1), where={x_1: x[i]}) + x[i]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs(x: T.Buffer((T.int64(8),), "float32"), out: T.Buffer((T.int64(8),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(8)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(8), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.fabs(x[v_ax0])
#
#     @R.function
#     def main(x: R.Tensor((8,), dtype="float32")) -> R.Tensor((8,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_abs, (x,), out_ty=R.Tensor((8,), dtype="float32"))
#             b: R.Tensor((8,), dtype="float32") = R.call_tir_inplace(cls.squash, (a, a), out_ty=R.Tensor((8,), dtype="float32"), inplace_indices=[1])
#             R.output(b)
#         return b
