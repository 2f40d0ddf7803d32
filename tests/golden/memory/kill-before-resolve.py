# RUN: opt -p LegalizeOps,KillAfterLastUse,ResolveInplace
# The mark at the end of a life reads nothing: the update in front of it stays in place.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[v]

    @T.prim_func(private=True)
    def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("both"):
                v = T.axis.spatial(4, i)
                b[v] = a[v] + T.float32(1)
                c[v] = a[v] - T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        b = R.call_tir_inplace(cls.add, (a, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.abs(b)
        return c
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("add"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v], b[v])
#                 T.writes(a[v])
#                 a[v] = a[v] + b[v]
#
#     @T.prim_func(private=True, s_tir=True)
#     def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("both"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v])
#                 T.writes(b[v], c[v])
#                 b[v] = a[v] + T.float32(1.0)
#                 c[v] = a[v] - T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
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
#         T.func_attr({"tirx.noalias": True})
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
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         b: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (a, x), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         c = R.call_tir(cls.tir_abs, (b,), out_ty=R.Tensor((4,), dtype="float32"))
#         R.memory.kill_tensor(a)
#         return c
