# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# An index that is computed in front of its gather is named in the fused kernel; regions of blocks do not use the name.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 5), "float32"), i: R.Tensor((4, 2), "int64"), s: R.Tensor((), "int64")):
        with R.dataflow():
            moved = R.add(i, s)
            y = R.gather_elements(x, moved, axis=1)
            R.output(y)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_add_gather_elements(i: T.Buffer((T.int64(4), T.int64(2)), "int64"), s: T.Buffer((), "int64"), x: T.Buffer((T.int64(4), T.int64(5)), "float32"), y: T.Buffer((T.int64(4), T.int64(2)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         moved = T.int64()
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(2)):
#             with T.sblock("T_gather"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(i[v_ax0, v_ax1], s[()], x[v_ax0, T.Select(i[v_ax0, v_ax1] + s[()] < T.int64(0), i[v_ax0, v_ax1] + s[()] + T.int64(5), i[v_ax0, v_ax1] + s[()])])
#                 T.writes(y[v_ax0, v_ax1])
#                 y[v_ax0, v_ax1] = T.Let(x[v_ax0, T.Select(moved < T.int64(0), moved + T.int64(5), moved)], where={moved: i[v_ax0, v_ax1] + s[()]})
#
#     @R.function
#     def main(x: R.Tensor((4, 5), dtype="float32"), i: R.Tensor((4, 2), dtype="int64"), s: R.Tensor((), dtype="int64")) -> R.Tensor((4, 2), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             y = R.call_tir(cls.fused_add_gather_elements, (i, s, x), out_ty=R.Tensor((4, 2), dtype="float32"))
#             R.output(y)
#         return y
