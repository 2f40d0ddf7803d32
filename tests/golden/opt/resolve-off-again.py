# RUN: opt -p 'fix(ResolveInplace)' --inplace=off
# With in-place off one copy is enough, however often the pass runs.
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
        return u
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.negative(x)
#         t_copy: R.Tensor((4,), dtype="float32") = R.copy(t)
#         u: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.inc, (t_copy,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return u
