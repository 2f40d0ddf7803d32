# RUN: opt -p SimplifyGraph
# `a` is updated in place: making `c` another name of it would cost a copy.  `x` is not, and `e` goes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def increment(x: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                x[vi] = x[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        c = R.multiply(a, R.const(1.0, "float32"))
        d = R.call_tir_inplace(cls.increment, (a,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
        e = R.multiply(x, R.const(1.0, "float32"))
        return (c, d, e)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def increment(x: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("b"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(x[vi])
#                 T.writes(x[vi])
#                 x[vi] = x[vi] + T.float32(1.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         c: R.Tensor((4,), dtype="float32") = R.multiply(a, R.const(1.0, "float32"))
#         d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.increment, (a,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return (c, d, x)
