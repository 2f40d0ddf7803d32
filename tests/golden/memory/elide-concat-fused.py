# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,ElideConcat
# The kernel that negates and joins keeps what it computes; the products write their columns themselves.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 2), "float32"), w: R.Tensor((2, 2), "float32"), v: R.Tensor((2, 1), "float32")):
        with R.dataflow():
            p = R.matmul(a, w)
            q = R.matmul(a, v)
            r = R.concat((p, R.negative(a), q), axis=1)
            R.output(r)
        return r

# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def concat(x0: T.Buffer((n, T.int64(2)), "float32"), x1: T.Buffer((n, T.int64(2)), "float32"), x2: T.Buffer((n, T.int64(1)), "float32"), out: T.Buffer((n, T.int64(5)), "float32")):
#         T.func_attr({"op_pattern": 2, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x0[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x0[v_ax0, v_ax1]
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1 + T.int64(2)])
#                 out[v_ax0, v_ax1 + T.int64(2)] = x1[v_ax0, v_ax1]
#         for ax0, ax1 in T.grid(n, T.int64(1)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1 + T.int64(4)])
#                 out[v_ax0, v_ax1 + T.int64(4)] = x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_negative_concat_part(a: T.Buffer((n, T.int64(2)), "float32"), q: T.Buffer((n, T.int64(1)), "float32"), r: T.Buffer((n, T.int64(5)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_concat_1"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(a[v_ax0, v_ax1])
#                 T.writes(r[v_ax0, v_ax1 + T.int64(2)])
#                 r[v_ax0, v_ax1 + T.int64(2)] = a[v_ax0, v_ax1] * T.float32(-1.0)
#         for ax0, ax1 in T.grid(n, T.int64(1)):
#             with T.sblock("T_concat_2"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(q[v_ax0, v_ax1])
#                 T.writes(r[v_ax0, v_ax1 + T.int64(4)])
#                 r[v_ax0, v_ax1 + T.int64(4)] = q[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((n, T.int64(2)), "float32"), x2: T.Buffer((T.int64(2), T.int64(1)), "float32"), out: T.Buffer((n, T.int64(1)), "float32")):
#         T.func_attr({"op_pattern": 3, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(n, T.int64(2), T.int64(1)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_part(x1: T.Buffer((n, T.int64(2)), "float32"), x2: T.Buffer((T.int64(2), T.int64(2)), "float32"), out: T.Buffer((n, T.int64(5)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(n, T.int64(2), T.int64(2)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((n, T.int64(2)), "float32"), out: T.Buffer((n, T.int64(2)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(2)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def main(a: R.Tensor((n, 2), dtype="float32"), w: R.Tensor((2, 2), dtype="float32"), v: R.Tensor((2, 1), dtype="float32")) -> R.Tensor((n, 5), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r_dest: R.Tensor((n, 5), dtype="float32") = R.builtin.alloc_tensor(R.shape([n, 5]), R.dtype("float32"), 0, R.str("global"))
#             p: R.Tensor((n, 5), dtype="float32") = R.call_tir_inplace(cls.matmul_part, (a, w, r_dest), out_ty=R.Tensor((n, 5), dtype="float32"), inplace_indices=[2])
#             q = R.call_tir(cls.matmul_1, (a, v), out_ty=R.Tensor((n, 1), dtype="float32"))
#             r: R.Tensor((n, 5), dtype="float32") = R.call_tir_inplace(cls.fused_tir_negative_concat_part, (a, q, p), out_ty=R.Tensor((n, 5), dtype="float32"), inplace_indices=[2])
#             R.output(r)
#         return r
