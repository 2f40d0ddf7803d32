# RUN: opt -p LegalizeOps,ElideConcat
# Who else reads p reads it out of the result: what makes the next part, a reader in between, one behind it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 2), "float32"), w: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            p = R.matmul(a, w)
            q = R.multiply(p, w)
            s = R.sum(p, axis=[1])
            r = R.concat((p, q), axis=1)
            t = R.add(p, w)
            R.output(r, s, t)
        return (r, s, t)

# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add_part(x2: T.Buffer((T.int64(2), T.int64(2)), "float32"), x1: T.Buffer((T.int64(2), T.int64(4)), "float32"), out: T.Buffer((T.int64(2), T.int64(2)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(2)):
#             with T.sblock("T_add"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x1[v_ax0, v_ax1] + x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_part(x1: T.Buffer((T.int64(2), T.int64(2)), "float32"), x2: T.Buffer((T.int64(2), T.int64(2)), "float32"), out: T.Buffer((T.int64(2), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0, ax1 in T.grid(T.int64(2), T.int64(2), T.int64(2)):
#             with T.sblock("matmul"):
#                 v_ax0, v_k0, v_ax1 = T.axis.remap("SRS", [ax0, k0, ax1])
#                 T.reads(x1[v_ax0, v_k0], x2[v_k0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 with T.init():
#                     out[v_ax0, v_ax1] = T.float32(0.0)
#                 out[v_ax0, v_ax1] = out[v_ax0, v_ax1] + x1[v_ax0, v_k0] * x2[v_k0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_part(x2: T.Buffer((T.int64(2), T.int64(2)), "float32"), out: T.Buffer((T.int64(2), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(2), T.int64(2)):
#             with T.sblock("T_multiply"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(out[v_ax0, v_ax1], x2[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1 + T.int64(2)])
#                 out[v_ax0, v_ax1 + T.int64(2)] = out[v_ax0, v_ax1] * x2[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def sum_part(x: T.Buffer((T.int64(2), T.int64(4)), "float32"), out: T.Buffer((T.int64(2),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, k0 in T.grid(T.int64(2), T.int64(2)):
#             with T.sblock("sum_red"):
#                 v_ax0, v_k0 = T.axis.remap("SR", [ax0, k0])
#                 T.reads(x[v_ax0, v_k0])
#                 T.writes(out[v_ax0])
#                 with T.init():
#                     out[v_ax0] = T.float32(0.0)
#                 out[v_ax0] = out[v_ax0] + x[v_ax0, v_k0]
#
#     @R.function
#     def main(a: R.Tensor((2, 2), dtype="float32"), w: R.Tensor((2, 2), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2, 2), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             r_dest: R.Tensor((2, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([2, 4]), R.dtype("float32"), 0, R.str("global"))
#             p: R.Tensor((2, 4), dtype="float32") = R.call_tir_inplace(cls.matmul_part, (a, w, r_dest), out_ty=R.Tensor((2, 4), dtype="float32"), inplace_indices=[2])
#             r: R.Tensor((2, 4), dtype="float32") = R.call_tir_inplace(cls.multiply_part, (w, p), out_ty=R.Tensor((2, 4), dtype="float32"), inplace_indices=[1])
#             s = R.call_tir(cls.sum_part, (r,), out_ty=R.Tensor((2,), dtype="float32"))
#             t = R.call_tir(cls.add_part, (w, r), out_ty=R.Tensor((2, 2), dtype="float32"))
#             R.output(s, r, t)
#         return (r, s, t)
