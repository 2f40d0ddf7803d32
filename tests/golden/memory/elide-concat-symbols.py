# RUN: opt -p LegalizeOps,ElideConcat
# Symbols that no tensor of the new kernel gives are scalars: those of offsets, and of what the kernel wrote before.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def count(x: T.handle, out: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (4,), "float32")
        O = T.match_buffer(out, (n, 4), "float32")
        for i, j in T.grid(n, T.int64(4)):
            O[i, j] = X[j] + T.Cast("float32", i)

    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor(("m", 4), "float32"), c: R.Tensor((4,), "float32")):
        n = T.int64()
        m = T.int64()
        cls = Module
        with R.dataflow():
            p = R.negative(b)
            q = R.call_tir(cls.count, (c,), out_ty=R.Tensor((n, 4), "float32"))
            r = R.concat((p, a, q), axis=0)
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
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def concat_part(m: T.int64, x1: T.Buffer((n, T.int64(4)), "float32"), out: T.Buffer(("m + n * T.int64(2)", T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(n, T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + m, v_ax1])
#                 out[v_ax0 + m, v_ax1] = x1[v_ax0, v_ax1]
#
#     @T.prim_func(private=True)
#     def count_part(n: T.int64, m: T.int64, X: T.Buffer((4,), "float32"), O: T.Buffer((m + n * T.int64(2), T.int64(4)), "float32")):
#         for i, j in T.grid(n, T.int64(4)):
#             O[i + (m + n), j] = X[j] + T.Cast("float32", i)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_part(n: T.int64, x: T.Buffer((m, T.int64(4)), "float32"), out: T.Buffer(("m + n * T.int64(2)", T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(m, T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x[v_ax0, v_ax1])
#                 T.writes(out[v_ax0, v_ax1])
#                 out[v_ax0, v_ax1] = x[v_ax0, v_ax1] * T.float32(-1.0)
#
#     @R.function
#     def main(a: R.Tensor((n, 4), dtype="float32"), b: R.Tensor((m, 4), dtype="float32"), c: R.Tensor((4,), dtype="float32")) -> R.Tensor(("m + n * 2", 4), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r_dest: R.Tensor((m + n * 2, 4), dtype="float32") = R.builtin.alloc_tensor(R.shape([m + n * 2, 4]), R.dtype("float32"), 0, R.str("global"))
#             p: R.Tensor((m + n * 2, 4), dtype="float32") = R.call_tir_inplace(cls.tir_negative_part, (b, r_dest, n), out_ty=R.Tensor((m + n * 2, 4), dtype="float32"), inplace_indices=[1])
#             q: R.Tensor((m + n * 2, 4), dtype="float32") = R.call_tir_inplace(cls.count_part, (c, p, n, m), out_ty=R.Tensor((m + n * 2, 4), dtype="float32"), inplace_indices=[1])
#             r: R.Tensor((m + n * 2, 4), dtype="float32") = R.call_tir_inplace(cls.concat_part, (a, q, m), out_ty=R.Tensor((m + n * 2, 4), dtype="float32"), inplace_indices=[1])
#             R.output(r)
#         return r
