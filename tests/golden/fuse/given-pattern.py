# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# A matmul that says that it works element by element is not believed; a kernel that says it is opaque is.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def product(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32"), c: T.Buffer((4, 4), "float32")):
        T.func_attr({"op_pattern": 0})
        for i, j, k in T.grid(4, 4, 4):
            with T.sblock("product"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    c[vi, vj] = T.float32(0)
                c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]

    @T.prim_func(private=True)
    def alone(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32")):
        T.func_attr({"op_pattern": 8})
        for i, j in T.grid(4, 4):
            with T.sblock("alone"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, vj] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = R.call_tir(cls.product, (a, x), out_ty=R.Tensor((4, 4), "float32"))
            c = R.call_tir(cls.alone, (b,), out_ty=R.Tensor((4, 4), "float32"))
            d = R.abs(c)
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
#     def alone(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32")):
#         T.func_attr({"op_pattern": 8})
#         # with T.sblock("root"):
#         for i, j in T.grid(4, 4):
#             with T.sblock("alone"):
#                 vi, vj = T.axis.remap("SS", [i, j])
#                 T.reads(a[vi, vj])
#                 T.writes(b[vi, vj])
#                 b[vi, vj] = a[vi, vj] + T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def product(a: T.Buffer((4, 4), "float32"), b: T.Buffer((4, 4), "float32"), c: T.Buffer((4, 4), "float32")):
#         T.func_attr({"op_pattern": 4})
#         # with T.sblock("root"):
#         for i, j, k in T.grid(4, 4, 4):
#             with T.sblock("product"):
#                 vi, vj, vk = T.axis.remap("SSR", [i, j, k])
#                 T.reads(a[vi, vk], b[vk, vj])
#                 T.writes(c[vi, vj])
#                 with T.init():
#                     c[vi, vj] = T.float32(0.0)
#                 c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs(x: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(4)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.fabs(x[v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4), T.int64(4)), "float32"), out: T.Buffer((T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(4), T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = T.exp(x[v_ax0, v_ax1])
#
#     @R.function
#     def main(x: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((4, 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4, 4), dtype="float32"))
#             b = R.call_tir(cls.product, (a, x), out_ty=R.Tensor((4, 4), dtype="float32"))
#             c = R.call_tir(cls.alone, (b,), out_ty=R.Tensor((4, 4), dtype="float32"))
#             d = R.call_tir(cls.tir_abs, (c,), out_ty=R.Tensor((4, 4), dtype="float32"))
#             R.output(d)
#         return d
