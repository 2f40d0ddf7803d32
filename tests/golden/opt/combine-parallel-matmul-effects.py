# RUN: opt -p CombineParallelMatmul
# `y` is written between the products by a kernel that is called for its effect.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def increment(x: T.Buffer((4, 4), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                x[vi, 0] = x[vi, 0] + T.float32(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32"), v: R.Tensor((4, 4), "float32")):
        cls = Module
        y = R.exp(x)
        a = R.matmul(y, w)
        cls.increment(y)
        b = R.matmul(y, v)
        return (a, b)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def increment(x: T.Buffer((4, 4), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("b"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(x[vi, 0])
#                 T.writes(x[vi, 0])
#                 x[vi, 0] = x[vi, 0] + T.float32(1.0)
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((4, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), v: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
#         cls = Module
#         y: R.Tensor((4, 4), dtype="float32") = R.exp(x)
#         a: R.Tensor((4, 4), dtype="float32") = R.matmul(y, w, out_dtype=None)
#         cls.increment(y)
#         b: R.Tensor((4, 4), dtype="float32") = R.matmul(y, v, out_dtype=None)
#         return (a, b)
