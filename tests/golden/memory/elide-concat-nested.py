# RUN: opt -p LegalizeOps,ElideConcat
# A concatenation in a stack in a concatenation: one tensor.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            p = R.negative(a)
            q = R.add(a, a)
            pq = R.concat((p, q), axis=1)
            s = R.abs(pq)
            both = R.stack((pq, s), axis=0)
            r = R.concat((both, R.multiply(both, both)), axis=1)
            R.output(r)
        return r

# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add_part(x1: T.Buffer((T.int64(2), T.int64(2)), "float32"), x2: T.Buffer((T.int64(2), T.int64(2)), "float32"), out: T.Buffer((T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(2)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[T.int64(0), v_ax0, v_ax1 + T.int64(2)])
#                 out[T.int64(0), v_ax0, v_ax1 + T.int64(2)] = x1[v_ax0, v_ax1] + x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_part(out: T.Buffer((T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1, ax2 in T.grid(T.int64(2), T.int64(2), T.int64(4)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1, v_ax2 = T.axis.remap("SSS", [ax0, ax1, ax2])
#                 T.reads(out[v_ax0, v_ax1, v_ax2], out[v_ax0, v_ax1, v_ax2])
#                 T.writes(out[v_ax0, v_ax1 + T.int64(2), v_ax2])
#                 out[v_ax0, v_ax1 + T.int64(2), v_ax2] = out[v_ax0, v_ax1, v_ax2] * out[v_ax0, v_ax1, v_ax2]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs_part(out: T.Buffer((T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(4)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(out[T.int64(0), v_ax0, v_ax1])
#                 T.writes(out[T.int64(1), v_ax0, v_ax1])
#                 out[T.int64(1), v_ax0, v_ax1] = T.fabs(out[T.int64(0), v_ax0, v_ax1])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_part(x: T.Buffer((T.int64(2), T.int64(2)), "float32"), out: T.Buffer((T.int64(2), T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(2)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[T.int64(0), v_ax0, v_ax1])
#                 out[T.int64(0), v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def main(a: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 4, 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r_dest: R.Tensor((2, 4, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([2, 4, 4]), R.dtype("float32"), 0, R.str("global"))
#             p: R.Tensor((2, 4, 4), dtype="float32") = R.call_tir_inplace(cls.tir_negative_part, (a, r_dest), out_ty=R.Tensor((2, 4, 4), dtype="float32"), inplace_indices=[1])
#             q: R.Tensor((2, 4, 4), dtype="float32") = R.call_tir_inplace(cls.add_part, (a, a, p), out_ty=R.Tensor((2, 4, 4), dtype="float32"), inplace_indices=[2])
#             s: R.Tensor((2, 4, 4), dtype="float32") = R.call_tir_inplace(cls.tir_abs_part, (q,), out_ty=R.Tensor((2, 4, 4), dtype="float32"), inplace_indices=[0])
#             r: R.Tensor((2, 4, 4), dtype="float32") = R.call_tir_inplace(cls.multiply_part, (s,), out_ty=R.Tensor((2, 4, 4), dtype="float32"), inplace_indices=[0])
#             R.output(r)
#         return r
