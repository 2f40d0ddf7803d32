# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Equal groups are one kernel.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.abs(R.exp(x))
            b = R.abs(R.exp(y))
            R.output(a, b)
        return (a, b)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_exp_tir_abs(x: T.Buffer((T.int64(4),), "float32"), a: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(a[v_ax0])
#                 a[v_ax0] = T.fabs(T.exp(x[v_ax0]))
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.fused_tir_exp_tir_abs, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             b = R.call_tir(cls.fused_tir_exp_tir_abs, (y,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(a, b)
#         return (a, b)
