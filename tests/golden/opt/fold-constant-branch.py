# RUN: opt -p FoldConstant
# The branch of a constant condition takes the place of the `if`, with what it prints and nothing of
# the other; nested conditions too.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), p: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            a = R.add(x, x)
            R.output(a)
        yes = R.less(R.const(1, "int32"), R.const(2, "int32"))
        if yes:
            _ = R.print(a, format="taken {}")
            if R.const(False):
                b = R.exp(a)
            else:
                with R.dataflow():
                    c = R.add(a, a)
                    d = R.add(c, a)
                    R.output(d)
                b = d
            r = b
        else:
            _ = R.print(a, format="not taken {}")
            r = a
        if p:
            q = R.add(r, R.const(1.0, "float32"))
        else:
            q = R.const([1.0, 2.0, 3.0, 4.0], "float32")
        return q
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
#       \"data\": 4
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAEAAAAAAAAABAAAAAAAAAAAACAPwAAAEAAAEBAAACAQA==\"
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
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             a: R.Tensor((4,), dtype="float32") = R.add(x, x)
#             R.output(a)
#         R.print(a, format=R.str("taken {}"))
#         with R.dataflow():
#             c: R.Tensor((4,), dtype="float32") = R.add(a, a)
#             d: R.Tensor((4,), dtype="float32") = R.add(c, a)
#             R.output(d)
#         if p:
#             q: R.Tensor((4,), dtype="float32") = R.add(d, R.const(1.0, "float32"))
#         else:
#             q: R.Tensor((4,), dtype="float32") = metadata["ir.GenericConst"][0]
#         return q
