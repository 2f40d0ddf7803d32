# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ResolveInplace
# In the middle of a chain an update in place means a private copy, and needs none: the argument is only read. It may
# be read afterwards, too, which alone would have cost a copy.
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
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = R.call_tir_inplace(cls.add, (a, y), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            c = R.abs(b)
            d = R.multiply(c, a)
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
#     def fused_tir_exp_add_tir_abs_multiply(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32"), d: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         a = T.float32()
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_multiply"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0], y[v_ax0])
#                 T.writes(d[v_ax0])
#                 d[v_ax0] = T.Let(T.fabs(a + y[v_ax0]) * a, where={a: T.exp(x[v_ax0])})
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             d = R.call_tir(cls.fused_tir_exp_add_tir_abs_multiply, (x, y), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(d)
#         return d
