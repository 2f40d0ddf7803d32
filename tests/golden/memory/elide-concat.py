# RUN: opt -p LegalizeOps,ElideConcat
# Three kernels write their parts of one result: nothing is left of the concatenation, nor of its storage.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32"), b: R.Tensor((2,), "float32"), c: R.Tensor((3,), "float32")):
        with R.dataflow():
            la = R.negative(a)
            lb = R.abs(b)
            lc = R.negative(c)
            r = R.concat((la, lb, lc), axis=0)
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
#     def tir_abs_part(x: T.Buffer((T.int64(2),), "float32"), out: T.Buffer((T.int64(9),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(2)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(2), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0 + T.int64(4)])
#                 out[v_ax0 + T.int64(4)] = T.fabs(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_1_part(x: T.Buffer((T.int64(3),), "float32"), out: T.Buffer((T.int64(9),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(3)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(3), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0 + T.int64(6)])
#                 out[v_ax0 + T.int64(6)] = x[v_ax0] * T.float32(-1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative_part(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(9),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0] * T.float32(-1.0)
#
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32"), b: R.Tensor((2,), dtype="float32"), c: R.Tensor((3,), dtype="float32")) -> R.Tensor((9,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r_dest: R.Tensor((9,), dtype="float32") = R.builtin.alloc_tensor(R.shape([9]), R.dtype("float32"), 0, R.str("global"))
#             la: R.Tensor((9,), dtype="float32") = R.call_tir_inplace(cls.tir_negative_part, (a, r_dest), out_ty=R.Tensor((9,), dtype="float32"), inplace_indices=[1])
#             lb: R.Tensor((9,), dtype="float32") = R.call_tir_inplace(cls.tir_abs_part, (b, la), out_ty=R.Tensor((9,), dtype="float32"), inplace_indices=[1])
#             r: R.Tensor((9,), dtype="float32") = R.call_tir_inplace(cls.tir_negative_1_part, (c, lb), out_ty=R.Tensor((9,), dtype="float32"), inplace_indices=[1])
#             R.output(r)
#         return r
