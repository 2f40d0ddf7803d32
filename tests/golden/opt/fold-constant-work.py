# RUN: opt -p FoldConstant,DeadCodeElimination
# What takes long is left to run, however small it is: products and windows read an element many times.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main() -> R.Object:
        with R.dataflow():
            x = R.broadcast_to(R.const(True), R.shape([65]))
            y = R.astype(x, "float32")
            s = R.broadcast_to(R.const(1.5, "float32"), R.shape([1, 1, 4, 4]))
            a = R.einsum((y, y, y, y, y, y), subscripts="a,b,c,d,e,f->")
            b = R.nn.max_pool2d(s, pool_size=[64, 64], padding=[63, 63, 63, 63])
            c = R.einsum((R.const([1, 2], "float32"), R.const([3, 4], "float32")), subscripts="i,i->")
            R.output(a, b, c)
        return (a, b, c)
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 28,
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
#       \"data\": 65
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
#         \"dtype\": \"float32\"
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQBBAAAAAAAAAAQBAAAAAAAAAACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8=\"
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
#       \"type\": \"int\",
#       \"data\": 1
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 11
#       }
#     },
#     {
#       \"type\": \"int\",
#       \"data\": 1
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 13
#       }
#     },
#     {
#       \"type\": \"int\",
#       \"data\": 4
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 15
#       }
#     },
#     {
#       \"type\": \"int\",
#       \"data\": 4
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 17
#       }
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         12,
#         14,
#         16,
#         18
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 19,
#         \"ndim\": 4
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 20,
#         \"values\": 19
#       }
#     },
#     {
#       \"type\": \"ir.PrimType\",
#       \"data\": {
#         \"span\": 0,
#         \"dtype\": \"float32\"
#       }
#     },
#     {
#       \"type\": \"relax.TensorType\",
#       \"data\": {
#         \"span\": 0,
#         \"shape\": 21,
#         \"dtype\": 22,
#         \"vdevice\": 0,
#         \"ndim\": 4
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAABAAAAAIgAQABAAAAAAAAAAEAAAAAAAAABAAAAAAAAAAEAAAAAAAAAEAAAAAAAAAAAADAPwAAwD8AAMA/AADAPwAAwD8AAMA/AADAPwAAwD8AAMA/AADAPwAAwD8AAMA/AADAPwAAwD8AAMA/AADAPw==\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 23,
#         \"value\": 24
#       }
#     },
#     {
#       \"type\": \"ffi.String\",
#       \"data\": \"ir.GenericConst\"
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         10,
#         25
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         26,
#         27
#       ]
#     }
#   ],
#   \"metadata\": {
#     \"tvm_version\": \"0.27.0\"
#   }
# }""")
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main() -> R.Any:
#         with R.dataflow():
#             a: R.Tensor((), dtype="float32") = R.einsum((metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][0]), subscripts="a,b,c,d,e,f->")
#             b: R.Tensor((1, 1, 67, 67), dtype="float32") = R.nn.max_pool2d(metadata["ir.GenericConst"][1], pool_size=[64, 64], strides=[1, 1], dilation=[1, 1], padding=[63, 63, 63, 63], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout=None)
#             R.output(a, b)
#         return (a, b, R.const(11.0, "float32"))
