# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ResolveInplace
# The update reads what exp makes of the argument in reverse order: exp is not computed in the loop that updates the
# argument, where it would find new numbers, but before, in a buffer.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[v]

    @T.prim_func(private=True)
    def mirror(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("mirror"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[3 - v]

    @T.prim_func(private=True)
    def prefix(a: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("prefix"):
                v = T.axis.spatial(3, i)
                a[v + 1] = a[v] + a[v + 1]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            z = R.call_tir_inplace(cls.mirror, (x, a), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            R.output(z)
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
#     def fused_tir_exp_mirror(x: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         a = T.sblock_alloc_buffer((T.int64(4),))
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(a[v_ax0])
#                 a[v_ax0] = T.exp(x[v_ax0])
#         for i in range(4):
#             with T.sblock("mirror"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(x[v], a[3 - v])
#                 T.writes(x[v])
#                 x[v] = x[v] + a[3 - v]
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         with R.dataflow():
#             z: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.fused_tir_exp_mirror, (x,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             R.output(z)
#         return z
