# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Not fused: an update that reads elements it has written, one that must run in place, and one that is asked about.
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
            b = R.call_tir_inplace(cls.prefix, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            c = R.abs(b)
            d = R.call_tir_inplace(cls.add, (c, y), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0], strict=True)
            e = R.negative(d)
            f = R.call_tir_inplace(cls.add, (e, y), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            g = R.assert_inplace(f)
            h = R.exp(g)
            R.output(h)
        return h
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         T.func_attr({"op_pattern": 0})
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("add"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v], b[v])
#                 T.writes(a[v])
#                 a[v] = a[v] + b[v]
#
#     @T.prim_func(private=True, s_tir=True)
#     def prefix(a: T.Buffer((4,), "float32")):
#         T.func_attr({"op_pattern": 8})
#         # with T.sblock("root"):
#         for i in range(3):
#             with T.sblock("prefix"):
#                 v = T.axis.spatial(3, i)
#                 T.reads(a[v:v + 2])
#                 T.writes(a[v + 1])
#                 a[v + 1] = a[v] + a[v + 1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.fabs(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0] * T.float32(-1.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             b: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.prefix, (a,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             c = R.call_tir(cls.tir_abs, (b,), out_ty=R.Tensor((4,), dtype="float32"))
#             d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (c, y), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0], strict=True)
#             e = R.call_tir(cls.tir_negative, (d,), out_ty=R.Tensor((4,), dtype="float32"))
#             f: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (e, y), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             g: R.Tensor((4,), dtype="float32") = R.assert_inplace(f)
#             h = R.call_tir(cls.tir_exp, (g,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(h)
#         return h
