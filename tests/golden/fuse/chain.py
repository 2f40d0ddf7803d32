# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Ten elementwise operators are one kernel: one loop nest, one store, no buffer.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), y: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            a = R.add(x, y)
            b = R.nn.relu(a)
            c = R.multiply(b, R.const(2, "float32"))
            d = R.subtract(c, y)
            e = R.negative(d)
            f = R.abs(e)
            g = R.maximum(f, x)
            h = R.add(g, g)
            i = R.minimum(h, y)
            j = R.tanh(i)
            R.output(j)
        return j
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_add_relu_multiply_subtract_tir_negative_tir_abs_maximum_add_minimum_etc(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), y: T.Buffer((T.int64(4), T.int64(8)), "float32"), j: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         g = T.float32()
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_tir_tanh"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1], y[v_ax0, v_ax1])
#                 T.writes(j[v_ax0, v_ax1])
#                 j[v_ax0, v_ax1] = T.Let(T.tanh(T.min(g + g, y[v_ax0, v_ax1])), where={g: T.max(T.fabs((T.max(x[v_ax0, v_ax1] + y[v_ax0, v_ax1], T.float32(0.0)) * T.float32(2.0) - y[v_ax0, v_ax1]) * T.float32(-1.0)), x[v_ax0, v_ax1])})
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float32"), y: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             j = R.call_tir(cls.fused_add_relu_multiply_subtract_tir_negative_tir_abs_maximum_add_minimum_etc, (x, y), out_ty=R.Tensor((4, 8), dtype="float32"))
#             R.output(j)
#         return j
