# RUN: opt -p ToMixedPrecision
# Left alone: products of other dtypes, or that ask for another; programs without products; operands that a kernel called for its
# effect writes.
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

    @R.function
    def dtypes(x: R.Tensor((4, 4), "float64"), i: R.Tensor((4, 4), "int8"), h: R.Tensor((4, 4), "float16"), f: R.Tensor((4, 4), "float32")):
        a = R.matmul(x, x)
        b = R.matmul(i, i, out_dtype="int32")
        c = R.matmul(h, h, out_dtype="float32")
        d = R.nn.relu(c)
        e = R.nn.relu(f)
        return (a, b, d, e)

    @R.function(pure=False)
    def effects(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        cls = Module
        y = R.exp(x)
        a = R.matmul(y, w)
        cls.increment(y)
        b = R.matmul(y, w)
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
#     @R.function
#     def dtypes(x: R.Tensor((4, 4), dtype="float64"), i: R.Tensor((4, 4), dtype="int8"), h: R.Tensor((4, 4), dtype="float16"), f: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((4, 4), dtype="float64"), R.Tensor((4, 4), dtype="int32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
#         a: R.Tensor((4, 4), dtype="float64") = R.matmul(x, x, out_dtype=None)
#         b: R.Tensor((4, 4), dtype="int32") = R.matmul(i, i, out_dtype="int32")
#         c: R.Tensor((4, 4), dtype="float32") = R.matmul(h, h, out_dtype="float32")
#         d: R.Tensor((4, 4), dtype="float32") = R.nn.relu(c)
#         e: R.Tensor((4, 4), dtype="float32") = R.nn.relu(f)
#         return (a, b, d, e)
#
#     @R.function(pure=False)
#     def effects(x: R.Tensor((4, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
#         cls = Module
#         y: R.Tensor((4, 4), dtype="float32") = R.exp(x)
#         a: R.Tensor((4, 4), dtype="float32") = R.matmul(y, w, out_dtype=None)
#         cls.increment(y)
#         b: R.Tensor((4, 4), dtype="float32") = R.matmul(y, w, out_dtype=None)
#         return (a, b)
