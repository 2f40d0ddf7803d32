# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps --print-after=FuseOps
# Groups as FuseOps makes them: matmul with what follows element by element, a reduction with what comes before and
# after it. What comes in front of a matmul stays outside: it would be computed again for each column.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            h = R.matmul(a, w)
            i = R.add(h, b)
            j = R.nn.relu(i)
            s = R.sum(R.multiply(j, x), axis=[1])
            t = R.sqrt(s)
            R.output(t)
        return t
# OUT:
# # ---- after FuseOps ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4), T.int64(8)), "float32"), x2: T.Buffer((T.int64(8),), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(4), T.int64(8)), "float32"), x2: T.Buffer((T.int64(8), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(4), T.int64(8), T.int64(8)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply(x1: T.Buffer((T.int64(4), T.int64(8)), "float32"), x2: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] * x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def relu(data: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_relu"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(data[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.max(data[v_ax0, v_ax1], T.float32(0.0))
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 3, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0])
#                 with T.init():
#                     out[v_ax0] = T.float32(0.0)
#                 out[v_ax0] = out[v_ax0] + x[v_ax0, v_k0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_sqrt(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_sqrt"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.sqrt(x[v_ax0])
#
#     @R.function(private=True)
#     def fused_matmul_add_relu_multiply(a: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32"), x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             h = R.call_tir(cls.matmul, (a, w), out_ty=R.Tensor((4, 8), dtype="float32"))
#             i = R.call_tir(cls.add, (h, b), out_ty=R.Tensor((4, 8), dtype="float32"))
#             j = R.call_tir(cls.relu, (i,), out_ty=R.Tensor((4, 8), dtype="float32"))
#             gv = R.call_tir(cls.multiply, (j, x), out_ty=R.Tensor((4, 8), dtype="float32"))
#             R.output(gv)
#         return gv
#
#     @R.function(private=True)
#     def fused_sum_tir_sqrt(v: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             s = R.call_tir(cls.sum, (v,), out_ty=R.Tensor((4,), dtype="float32"))
#             t = R.call_tir(cls.tir_sqrt, (s,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(t)
#         return t
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4, 8), dtype="float32"))
#             lv: R.Tensor((4, 8), dtype="float32") = cls.fused_matmul_add_relu_multiply(a, w, b, x)
#             t: R.Tensor((4,), dtype="float32") = cls.fused_sum_tir_sqrt(lv)
#             R.output(t)
#         return t
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4), T.int64(8)), "float32"), x2: T.Buffer((T.int64(8),), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul(x1: T.Buffer((T.int64(4), T.int64(8)), "float32"), x2: T.Buffer((T.int64(8), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(4), T.int64(8), T.int64(8)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply(x1: T.Buffer((T.int64(4), T.int64(8)), "float32"), x2: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] * x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def relu(data: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_relu"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(data[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.max(data[v_ax0, v_ax1], T.float32(0.0))
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 3, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0])
#                 with T.init():
#                     out[v_ax0] = T.float32(0.0)
#                 out[v_ax0] = out[v_ax0] + x[v_ax0, v_k0]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4), T.int64(8)), "float32"), out: T.Buffer((T.int64(4), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(8)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_sqrt(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_sqrt"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.sqrt(x[v_ax0])
#
#     @R.function(private=True)
#     def fused_matmul_add_relu_multiply(a: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32"), x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             h = R.call_tir(cls.matmul, (a, w), out_ty=R.Tensor((4, 8), dtype="float32"))
#             i = R.call_tir(cls.add, (h, b), out_ty=R.Tensor((4, 8), dtype="float32"))
#             j = R.call_tir(cls.relu, (i,), out_ty=R.Tensor((4, 8), dtype="float32"))
#             gv = R.call_tir(cls.multiply, (j, x), out_ty=R.Tensor((4, 8), dtype="float32"))
#             R.output(gv)
#         return gv
#
#     @R.function(private=True)
#     def fused_sum_tir_sqrt(v: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"Primitive": True})
#         cls = Module
#         with R.dataflow():
#             s = R.call_tir(cls.sum, (v,), out_ty=R.Tensor((4,), dtype="float32"))
#             t = R.call_tir(cls.tir_sqrt, (s,), out_ty=R.Tensor((4,), dtype="float32"))
#             R.output(t)
#         return t
#
#     @R.function
#     def main(x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4, 8), dtype="float32"))
#             lv: R.Tensor((4, 8), dtype="float32") = cls.fused_matmul_add_relu_multiply(a, w, b, x)
#             t: R.Tensor((4,), dtype="float32") = cls.fused_sum_tir_sqrt(lv)
#             R.output(t)
#         return t
