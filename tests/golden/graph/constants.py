# RUN: opt
# R.const follows NumPy: 32 bits wide, nested lists, Python arithmetic, float("inf").
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2,), "float32")):
    a = R.const(1)
    b = R.const(1.5)
    c = R.const(True)
    d = R.const(-7, "int8")
    e = R.const(1.0 / 4, "float16")
    f = R.const(float("-inf"), "float32")
    g = 2.0
    h = R.add(x, R.const([1, 2 + 1], "float32"))
    return (a, b, c, d, e, f, g, h)
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAQEA=\"
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
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="int32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="bool"), R.Tensor((), dtype="int8"), R.Tensor((), dtype="float16"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((2,), dtype="float32")):
#     a: R.Tensor((), dtype="int32") = R.const(1, "int32")
#     b: R.Tensor((), dtype="float32") = R.const(1.5, "float32")
#     c: R.Tensor((), dtype="bool") = R.const(True, "bool")
#     d: R.Tensor((), dtype="int8") = R.const(-7, "int8")
#     e: R.Tensor((), dtype="float16") = R.const(0.25, "float16")
#     f: R.Tensor((), dtype="float32") = R.const(float("-inf"), "float32")
#     g: R.Tensor((), dtype="float32") = R.const(2.0, "float32")
#     h: R.Tensor((2,), dtype="float32") = R.add(x, metadata["ir.GenericConst"][0])
#     return (a, b, c, d, e, f, g, h)
