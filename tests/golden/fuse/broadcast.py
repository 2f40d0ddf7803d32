# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# A column that is expensive to compute is not computed again for each element of the matrix that it spreads over.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 1), "float32"), y: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.add(a, y)
            c = R.negative(x)
            d = R.multiply(c, b)
            R.output(d)
        return d
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_exp_add_tir_negative_multiply(x: T.Buffer((T.int64(4), T.int64(1)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32"), d: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         a = T.sblock_alloc_buffer((T.int64(4), T.int64(1)))
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(1)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(a[v_ax0, v_ax1])
#                 a[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1])
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, T.int64(0)], a[v_ax0, T.int64(0)], y[v_ax0, v_ax1])
#                 T.writes(d[v_ax0, v_ax1])
#                 d[v_ax0, v_ax1] = x[v_ax0, T.int64(0)] * T.float32(-1.0) * (a[v_ax0, T.int64(0)] + y[v_ax0, v_ax1])
#
#     @R.function
#     def main(x: R.Tensor((4, 1), dtype="float32"), y: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             d = R.call_tir(cls.fused_tir_exp_add_tir_negative_multiply, (x, y), out_ty=R.Tensor((4, 8), dtype="float32"))
#             R.output(d)
#         return d
