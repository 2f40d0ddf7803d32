# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Two ways from a value to the one that needs both: exp is computed once, and kept in a variable.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.add(a, R.const(1, "float32"))
            c = R.multiply(a, x)
            d = R.subtract(b, c)
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
#     def fused_tir_exp_add_multiply_subtract(x: T.Buffer((T.int64(4),), "float32"), d: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         a = T.float32()
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_subtract"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(d[v_ax0])
#                 d[v_ax0] = T.Let(a + T.float32(1.0) - a * x[v_ax0], where={a: T.exp(x[v_ax0])})
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             d = R.call_tir(cls.fused_tir_exp_add_multiply_subtract, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(d)
#         return d
