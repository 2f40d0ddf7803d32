# RUN: opt -p FoldConstant,PackConstants --verify-each --check-each
# One of two products runs, and both make the same panels of w: one constant. Those of another w, or made in another way (u), are their own.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def either(x: T.Buffer((64,), "float32"), w: T.Buffer((64,), "float32"), v: T.Buffer((64,), "float32"), u: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for o in range(2):
            if o == 0:
                a = T.alloc_buffer((64,), "float32")
                for i in range(64):
                    a[i] = w[i] + T.float32(1)
                for i in range(64):
                    y[i] = a[i] * x[i]
            else:
                b = T.alloc_buffer((64,), "float32")
                for j in range(64):
                    b[j] = w[j] + T.float32(1)
                c = T.alloc_buffer((64,), "float32")
                for j in range(64):
                    c[j] = v[j] + T.float32(1)
                d = T.alloc_buffer((64,), "float32")
                for j in range(64):
                    d[j] = u[j] + T.float32(2)
                for i in range(64):
                    y[i] = y[i] + b[i] * c[i] * d[i]

    @R.function
    def main(x: R.Tensor((64,), "float32")):
        cls = Module
        with R.dataflow():
            w = R.zeros(R.shape([64]), dtype="float32")
            v = R.ones(R.shape([64]), dtype="float32")
            u = R.full(R.shape([64]), R.const(3.0, "float32"), dtype="float32")
            y = R.call_tir(cls.either, (x, w, v, u), out_ty=R.Tensor((64,), "float32"))
            R.output(y)
        return y
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 31,
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
#       \"data\": 64
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQBAAAAAAAAAAAABAAAAAAAAAACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPw==\"
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
#       \"data\": 64
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
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         12
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 13,
#         \"ndim\": 1
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 14,
#         \"values\": 13
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
#         \"shape\": 15,
#         \"dtype\": 16,
#         \"vdevice\": 0,
#         \"ndim\": 1
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQBAAAAAAAAAAAABAAAAAAAAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAAAQA==\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 17,
#         \"value\": 18
#       }
#     },
#     {
#       \"type\": \"int\",
#       \"data\": 64
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 20
#       }
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         21
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 22,
#         \"ndim\": 1
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 23,
#         \"values\": 22
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
#         \"shape\": 24,
#         \"dtype\": 25,
#         \"vdevice\": 0,
#         \"ndim\": 1
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQBAAAAAAAAAAAABAAAAAAAAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQAAAoEAAAKBAAACgQA==\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 26,
#         \"value\": 27
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
#         19,
#         28
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         29,
#         30
#       ]
#     }
#   ],
#   \"metadata\": {
#     \"tvm_version\": \"0.27.0\"
#   }
# }""")
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def either(x: T.Buffer((64,), "float32"), a: T.Buffer((64,), "float32"), c: T.Buffer((64,), "float32"), d: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
#         for o in range(2):
#             if o == 0:
#                 for i in range(64):
#                     y[i] = a[i] * x[i]
#             else:
#                 for i in range(64):
#                     y[i] = y[i] + a[i] * c[i] * d[i]
#
#     @R.function
#     def main(x: R.Tensor((64,), dtype="float32")) -> R.Tensor((64,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             y = R.call_tir(cls.either, (x, metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][1], metadata["ir.GenericConst"][2]), out_ty=R.Tensor((64,), dtype="float32"))
#             R.output(y)
#         return y
