# RUN: opt -p FoldConstant,DeadCodeElimination
# Shapes as values: from types, also symbolic ones, and from the elements of a constant.  The reshape
# that cannot work (8 elements of 4) keeps the shape that is found out when it runs, and fails then.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        s = R.shape_of(x)
        a = R.zeros(s, "float32")
        two = R.const([2, 2], "int64")
        shape = R.tensor_to_shape(two)
        b = R.reshape(y, shape)
        four = R.const([4, 2], "int64")
        wrong = R.tensor_to_shape(four)
        c = R.reshape(y, wrong)
        return (a, b, c)
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 13,
#   \"nodes\": [
#     {
#       \"type\": \"None\"
#     },
#     {
#       \"type\": \"ir.PrimType\",
#       \"data\": {
#         \"span\": 0,
#         \"dtype\": \"int64\"
#       }
#     },
#     {
#       \"type\": \"int\",
#       \"data\": 2
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 2
#       }
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         3
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 4,
#         \"ndim\": 1
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 5,
#         \"values\": 4
#       }
#     },
#     {
#       \"type\": \"ir.PrimType\",
#       \"data\": {
#         \"span\": 0,
#         \"dtype\": \"int64\"
#       }
#     },
#     {
#       \"type\": \"relax.TensorType\",
#       \"data\": {
#         \"span\": 0,
#         \"shape\": 6,
#         \"dtype\": 7,
#         \"vdevice\": 0,
#         \"ndim\": 1
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAABAAQACAAAAAAAAABAAAAAAAAAABAAAAAAAAAACAAAAAAAAAA==\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 8,
#         \"value\": 9
#       }
#     },
#     {
#       \"type\": \"ffi.String\",
#       \"data\": \"ir.GenericConst\"
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         10
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         11,
#         12
#       ]
#     }
#   ],
#   \"metadata\": {
#     \"tvm_version\": \"0.27.0\"
#   }
# }""")
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((n, 4), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=2)):
#         a: R.Tensor((n, 4), dtype="float32") = R.zeros(R.shape([n, 4]), dtype="float32")
#         b: R.Tensor((2, 2), dtype="float32") = R.reshape(y, R.shape([2, 2]))
#         four: R.Tensor((2,), dtype="int64") = metadata["ir.GenericConst"][0]
#         wrong: R.Shape(ndim=2) = R.tensor_to_shape(four)
#         c: R.Tensor(dtype="float32", ndim=2) = R.reshape(y, wrong)
#         return (a, b, c)
