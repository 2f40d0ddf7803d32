# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps
# Packed functions and kernels that call out are never part of a group, nor is what they alone read moved into one.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def outside(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("outside"):
                v = T.axis.spatial(4, i)
                b[v] = T.call_extern("float32", "sinf", a[v])

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = R.call_tir(cls.outside, (a,), out_ty=R.Tensor((4,), "float32"))
            c = R.nn.relu(b)
            d = R.call_pure_packed("f", c, ty_args=(R.Tensor((4,), "float32"),))
            e = R.abs(d)
            R.output(e)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def outside(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         T.func_attr({"op_pattern": 8})
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("outside"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v])
#                 T.writes(b[v])
#                 b[v] = T.call_extern("float32", "sinf", a[v])
#
#     @T.prim_func(private=True, s_tir=True)
#     def relu(data: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_relu"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(data[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.max(data[v_ax0], T.float32(0.0))
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             b = R.call_tir(cls.outside, (a,), out_ty=R.Tensor((4,), dtype="float32"))
#             c = R.call_tir(cls.relu, (b,), out_ty=R.Tensor((4,), dtype="float32"))
#             d: R.Tensor((4,), dtype="float32") = R.call_pure_packed("f", c, ty_args=(R.Tensor((4,), dtype="float32"),))
#             e = R.call_tir(cls.tir_abs, (d,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(e)
#         return e
