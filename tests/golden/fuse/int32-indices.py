# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Loops over int32 and over int64 meet: indices are converted where their value is used, and only there.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def number(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            with T.sblock("number"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, 7 - vj] + T.Cast("float32", vi * 8 + vj) * a[vi, vj]

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        cls = Module
        with R.dataflow():
            a = R.nn.relu(x)
            b = R.call_tir(cls.number, (a,), out_ty=R.Tensor((4, 8), "float32"))
            c = R.permute_dims(b)
            R.output(c)
        return c
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_relu_number_permute_dims(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), c: T.Buffer((T.int64(8), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(8), T.int64(4)):
#             with T.sblock("T_transpose"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax1, T.min(v_ax0, T.int64(7) - v_ax0):T.min(v_ax0, T.int64(7) - v_ax0) + (T.max(v_ax0, T.int64(7) - v_ax0) - T.min(v_ax0, T.int64(7) - v_ax0) + T.int64(1))])
#                 T.writes(c[v_ax0, v_ax1])
#                 c[v_ax0, v_ax1] = T.max(x[v_ax1, T.int64(7) - v_ax0], T.float32(0.0)) + T.Cast("float32", T.Cast("int32", v_ax1) * 8 + T.Cast("int32", v_ax0)) * T.max(x[v_ax1, v_ax0], T.float32(0.0))
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((8, 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             c = R.call_tir(cls.fused_relu_number_permute_dims, (x,), out_ty=R.Tensor((8, 4), dtype="float32"))
#             R.output(c)
#         return c
