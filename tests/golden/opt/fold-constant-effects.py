# RUN: opt -p LegalizeOps,FoldConstant
# A kernel that is called for its effect writes `y`: that is no constant, nor is what is computed from it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def fill(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] + T.float32(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.zeros(R.shape([4]), "float32")
        cls.fill(y)
        z = R.add(x, y)
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
#
#     @T.prim_func
#     def fill(a: T.Buffer((4,), "float32")):
#         for i in range(4):
#             a[i] = a[i] + T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def zeros(out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_zeros"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads()
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.float32(0.0)
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.zeros, R.tuple(), out_ty=R.Tensor((4,), dtype="float32"))
#         cls.fill(y)
#         z = R.call_tir(cls.add, (x, y), out_ty=R.Tensor((4,), dtype="float32"))
#         return z
