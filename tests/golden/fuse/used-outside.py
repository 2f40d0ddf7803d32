# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# Not fused: a value that is a result itself, one that an effect shows, one that a branch reads.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        a = R.exp(x)
        b = R.nn.relu(a)
        d = R.negative(b)
        _ = R.print(d, format="{}")
        e = R.add(d, x)
        f = R.abs(e)
        if c:
            g = R.tanh(e)
        else:
            g = f
        return (a, g)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_relu_tir_negative(a: T.Buffer((T.int64(4),), "float32"), d: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(a[v_ax0])
#                 T.writes(d[v_ax0])
#                 d[v_ax0] = T.max(a[v_ax0], T.float32(0.0)) * T.float32(-1.0)
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
#     def tir_tanh(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_tanh"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.tanh(x[v_ax0])
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         d = R.call_tir(cls.fused_relu_tir_negative, (a,), out_ty=R.Tensor((4,), dtype="float32"))
#         R.print(d, format=R.str("{}"))
#         e = R.call_tir(cls.add, (d, x), out_ty=R.Tensor((4,), dtype="float32"))
#         f = R.call_tir(cls.tir_abs, (e,), out_ty=R.Tensor((4,), dtype="float32"))
#         if c:
#             g = R.call_tir(cls.tir_tanh, (e,), out_ty=R.Tensor((4,), dtype="float32"))
#         else:
#             g: R.Tensor((4,), dtype="float32") = f
#         return (a, g)
