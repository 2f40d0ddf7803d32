# RUN: opt
# Constants without dimensions stand in the text; others in the metadata, numbered as they are met.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((3,), "float32")):
    a = R.add(x, R.const(0.1, "float32"))
    b = R.where(R.const(True, "bool"), R.const("inf", "float32"), R.const("nan", "float32"))
    c = R.multiply(R.const(-7, "int64"), R.const(2, "int64"))
    d = R.add(R.const(1e-05, "float64"), R.const(1e20, "float64"))
    e = R.add(x, R.const([1, 2, 3], "float32"))
    f = R.const([[True], [False]], "bool")
    g = R.const(65504.0, "float16")
    k = 1.5
    return (a, b, c, d, e, f, g, k)
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 24,
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
#       \"data\": 3
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQADAAAAAAAAAAwAAAAAAAAAAACAPwAAAEAAAEBA\"
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
#       \"data\": 2
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
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         12,
#         14
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 15,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 16,
#         \"values\": 15
#       }
#     },
#     {
#       \"type\": \"ir.PrimType\",
#       \"data\": {
#         \"span\": 0,
#         \"dtype\": \"bool\"
#       }
#     },
#     {
#       \"type\": \"relax.TensorType\",
#       \"data\": {
#         \"span\": 0,
#         \"shape\": 17,
#         \"dtype\": 18,
#         \"vdevice\": 0,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAYIAQACAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAABAA==\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 19,
#         \"value\": 20
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
#         21
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         22,
#         23
#       ]
#     }
#   ],
#   \"metadata\": {
#     \"tvm_version\": \"0.27.0\"
#   }
# }""")
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="int64"), R.Tensor((), dtype="float64"), R.Tensor((3,), dtype="float32"), R.Tensor((2, 1), dtype="bool"), R.Tensor((), dtype="float16"), R.Tensor((), dtype="float32")):
#     a: R.Tensor((3,), dtype="float32") = R.add(x, R.const(0.10000000149011612, "float32"))
#     b: R.Tensor((), dtype="float32") = R.where(R.const(True, "bool"), R.const(float("inf"), "float32"), R.const(float("nan"), "float32"))
#     c: R.Tensor((), dtype="int64") = R.multiply(R.const(-7, "int64"), R.const(2, "int64"))
#     d: R.Tensor((), dtype="float64") = R.add(R.const(1.0000000000000001e-05, "float64"), R.const(100000000000000000000.0, "float64"))
#     e: R.Tensor((3,), dtype="float32") = R.add(x, metadata["ir.GenericConst"][0])
#     f: R.Tensor((2, 1), dtype="bool") = metadata["ir.GenericConst"][1]
#     g: R.Tensor((), dtype="float16") = R.const(65504.0, "float16")
#     k: R.Tensor((), dtype="float32") = R.const(1.5, "float32")
#     return (a, b, c, d, e, f, g, k)
