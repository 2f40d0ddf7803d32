# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination
# A chain of cheap steps that a product of one row reads for each of its columns is computed once, all of it; one step is not.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 64), "float32"), w: R.Tensor((64, 100), "float32")):
        with R.dataflow():
            a = R.add(x, R.const(3.0, "float32"))
            b = R.maximum(a, R.const(0.0, "float32"))
            c = R.minimum(b, R.const(6.0, "float32"))
            y = R.matmul(c, w)
            z = R.matmul(R.negative(x), w)
            R.output(y, z)
        return (y, z)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_add_maximum_minimum_matmul(x: T.Buffer((T.int64(1), T.int64(64)), "float32"), w: T.Buffer((T.int64(64), T.int64(100)), "float32"), y: T.Buffer((T.int64(1), T.int64(100)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         c = T.sblock_alloc_buffer((T.int64(1), T.int64(64)))
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(64)):
#             with T.sblock("T_minimum"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(c[v_ax0, v_ax1])
#                 c[v_ax0, v_ax1] = T.min(T.max(x[v_ax0, v_ax1] + T.float32(3.0), T.float32(0.0)), T.float32(6.0))
#         for ax0, k0, ax1 in T.grid(T.int64(1), T.int64(64), T.int64(100)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(c[v_ax0, v_k0], w[v_k0, v_ax1])
#                 T.writes(y[v_ax0, v_ax1])
#                 with T.init():
#                     y[v_ax0, v_ax1] = T.float32(0.0)
#                 y[v_ax0, v_ax1] = y[v_ax0, v_ax1] + c[v_ax0, v_k0] * w[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_negative_matmul(x: T.Buffer((T.int64(1), T.int64(64)), "float32"), w: T.Buffer((T.int64(64), T.int64(100)), "float32"), z: T.Buffer((T.int64(1), T.int64(100)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(1), T.int64(64), T.int64(100)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x[v_ax0, v_k0], w[v_k0, v_ax1])
#                 T.writes(z[v_ax0, v_ax1])
#                 with T.init():
#                     z[v_ax0, v_ax1] = T.float32(0.0)
#                 z[v_ax0, v_ax1] = z[v_ax0, v_ax1] + x[v_ax0, v_k0] * T.float32(-1.0) * w[v_k0, v_ax1]
#
#     @R.function
#     def main(x: R.Tensor((1, 64), dtype="float32"), w: R.Tensor((64, 100), dtype="float32")) -> R.Tuple(R.Tensor((1, 100), dtype="float32"), R.Tensor((1, 100), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             y = R.call_tir(cls.fused_add_maximum_minimum_matmul, (x, w), out_ty=R.Tensor((1, 100), dtype="float32"))
#             z = R.call_tir(cls.fused_tir_negative_matmul, (x, w), out_ty=R.Tensor((1, 100), dtype="float32"))
#             R.output(y, z)
#         return (y, z)
