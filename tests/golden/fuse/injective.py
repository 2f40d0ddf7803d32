# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Transposes and slices are indices of what reads them; the parts of a split that nobody needs are not made.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            t = R.permute_dims(x)
            u = R.exp(t)
            s = R.strided_slice(u, [0], [2], [6])
            parts = R.split(s, 2, axis=0)
            p = parts[1]
            r = R.add(p, R.const(1, "float32"))
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
#     def fused_permute_dims_tir_exp_strided_slice_split_add(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), r: T.Buffer((T.int64(2), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax1, T.int64(2) + (v_ax0 + T.int64(2))])
#                 T.writes(r[v_ax0, v_ax1])
#                 r[v_ax0, v_ax1] = T.exp(x[v_ax1, T.int64(2) + (v_ax0 + T.int64(2))]) + T.float32(1.0)
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r = R.call_tir(cls.fused_permute_dims_tir_exp_strided_slice_split_add, (x,), out_ty=R.Tensor((2, 4), dtype="float32"))
#             R.output(r)
#         return r
