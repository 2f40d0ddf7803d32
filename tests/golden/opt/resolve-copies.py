# RUN: opt -p ResolveInplace
# A value that is read after its update is copied in front of the call.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("inc"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        t = R.negative(x)
        u = R.call_tir_inplace(cls.inc, (t,), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype="float32"))
        v = R.add(u, t)
        return v
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def inc(A: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("inc"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(A[vi])
#                 T.writes(A[vi])
#                 A[vi] = A[vi] + T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def inc_fresh(A: T.Buffer((4,), "float32"), A_new: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("inc"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(A[vi])
#                 T.writes(A_new[vi])
#                 A_new[vi] = A[vi] + T.float32(1.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.negative(x)
#         u = R.call_tir(cls.inc_fresh, (t,), out_ty=R.Tensor((4,), dtype="float32"))
#         v: R.Tensor((4,), dtype="float32") = R.add(u, t)
#         return v
