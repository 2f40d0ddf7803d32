# RUN: opt -p CombineParallelMatmul
# Weights that are made behind the first product move up; biases and activations where all branches have them; one width
# that is a symbol comes last; branches of an `if` by themselves.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def attention(x: R.Tensor((2, 8, 16), "float32"), wq: R.Tensor((12, 16), "float32"), wk: R.Tensor((16, 4), "float32"), wv: R.Tensor((16, 4), "float32")):
        with R.dataflow():
            q = R.matmul(x, R.permute_dims(wq))
            k = R.matmul(x, wk)
            scaled = R.multiply(wv, R.const(2.0, "float32"))
            v = R.matmul(x, scaled)
            s = R.add(k, v)
            R.output(q, s)
        return (q, s)

    @R.function
    def biases(x: R.Tensor(("b", 16), "float32"), w0: R.Tensor((16, "n"), "float32"), w1: R.Tensor((16, 4), "float32"),
               b0: R.Tensor(("n",), "float32"), b1: R.Tensor((4,), "float32"), w2: R.Tensor((16, "m"), "float32"), c: R.Tensor((), "bool")):
        a0 = R.matmul(x, w0)
        a1 = R.matmul(x, w1)
        s0 = R.add(a0, b0)
        s1 = R.add(b1, a1)
        y0 = R.nn.relu(s0)
        y1 = R.nn.relu(s1)
        if c:
            d0 = R.matmul(y1, R.const([[1.0], [2.0], [3.0], [4.0]], "float32"))
            d1 = R.matmul(y1, R.const([[5.0], [6.0], [7.0], [8.0]], "float32"))
            d = R.add(d0, d1)
        else:
            d = R.matmul(y1, R.const([[1.0], [2.0], [3.0], [4.0]], "float32"))
        return (y0, d)
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 37,
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
#       \"type\": \"int\",
#       \"data\": 1
#     },
#     {
#       \"type\": \"ir.IntImm\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 1,
#         \"value\": 4
#       }
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         3,
#         5
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 6,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 7,
#         \"values\": 6
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
#         \"shape\": 8,
#         \"dtype\": 9,
#         \"vdevice\": 0,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAEAAAAAAAAAAEAAAAAAAAAEAAAAAAAAAAAAIA/AAAAQAAAQEAAAIBA\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 10,
#         \"value\": 11
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
#         \"value\": 13
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
#         \"value\": 15
#       }
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         14,
#         16
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 17,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 18,
#         \"values\": 17
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
#         \"shape\": 19,
#         \"dtype\": 20,
#         \"vdevice\": 0,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAEAAAAAAAAAAEAAAAAAAAAEAAAAAAAAAAAAKBAAADAQAAA4EAAAABB\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 21,
#         \"value\": 22
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
#         \"value\": 24
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
#         \"value\": 26
#       }
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         25,
#         27
#       ]
#     },
#     {
#       \"type\": \"relax.ShapeType\",
#       \"data\": {
#         \"span\": 0,
#         \"values\": 28,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"relax.expr.ShapeExpr\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 29,
#         \"values\": 28
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
#         \"shape\": 30,
#         \"dtype\": 31,
#         \"vdevice\": 0,
#         \"ndim\": 2
#       }
#     },
#     {
#       \"type\": \"ffi.Tensor\",
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAEAAAAAAAAAAEAAAAAAAAAEAAAAAAAAAAAAIA/AAAAQAAAQEAAAIBA\"
#     },
#     {
#       \"type\": \"ir.GenericConst\",
#       \"data\": {
#         \"span\": 0,
#         \"ty\": 32,
#         \"value\": 33
#       }
#     },
#     {
#       \"type\": \"ffi.String\",
#       \"data\": \"ir.GenericConst\"
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         12,
#         23,
#         34
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         35,
#         36
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
# b = TypeVar("b")
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @R.function
#     def attention(x: R.Tensor((2, 8, 16), dtype="float32"), wq: R.Tensor((12, 16), dtype="float32"), wk: R.Tensor((16, 4), dtype="float32"), wv: R.Tensor((16, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 8, 12), dtype="float32"), R.Tensor((2, 8, 4), dtype="float32")):
#         with R.dataflow():
#             lv: R.Tensor((16, 12), dtype="float32") = R.permute_dims(wq, axes=None)
#             scaled: R.Tensor((16, 4), dtype="float32") = R.multiply(wv, R.const(2.0, "float32"))
#             lv1: R.Tensor((16, 20), dtype="float32") = R.concat((lv, wk, scaled), axis=1)
#             lv2: R.Tensor((2, 8, 20), dtype="float32") = R.matmul(x, lv1, out_dtype=None)
#             lv3: R.Tuple(R.Tensor((2, 8, 12), dtype="float32"), R.Tensor((2, 8, 4), dtype="float32"), R.Tensor((2, 8, 4), dtype="float32")) = R.split(lv2, indices_or_sections=[12, 16], axis=2)
#             q: R.Tensor((2, 8, 12), dtype="float32") = lv3[0]
#             k: R.Tensor((2, 8, 4), dtype="float32") = lv3[1]
#             v: R.Tensor((2, 8, 4), dtype="float32") = lv3[2]
#             s: R.Tensor((2, 8, 4), dtype="float32") = R.add(k, v)
#             R.output(s, q)
#         return (q, s)
#
#     @R.function
#     def biases(x: R.Tensor((b, 16), dtype="float32"), w0: R.Tensor((16, n), dtype="float32"), w1: R.Tensor((16, 4), dtype="float32"), b0: R.Tensor((n,), dtype="float32"), b1: R.Tensor((4,), dtype="float32"), w2: R.Tensor((16, m), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((b, n), dtype="float32"), R.Tensor((b, 1), dtype="float32")):
#         gv: R.Tensor((16, n + 4), dtype="float32") = R.concat((w1, w0), axis=1)
#         gv1: R.Tensor((b, n + 4), dtype="float32") = R.matmul(x, gv, out_dtype=None)
#         gv2: R.Tensor((n + 4,), dtype="float32") = R.concat((b1, b0), axis=0)
#         gv3: R.Tensor((b, n + 4), dtype="float32") = R.add(gv1, gv2)
#         gv4: R.Tensor((b, n + 4), dtype="float32") = R.nn.relu(gv3)
#         gv5: R.Tuple(R.Tensor((b, 4), dtype="float32"), R.Tensor((b, n), dtype="float32")) = R.split(gv4, indices_or_sections=[4], axis=1)
#         y1: R.Tensor((b, 4), dtype="float32") = gv5[0]
#         y0: R.Tensor((b, n), dtype="float32") = gv5[1]
#         if c:
#             gv6: R.Tensor((4, 2), dtype="float32") = R.concat((metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][1]), axis=1)
#             gv7: R.Tensor((b, 2), dtype="float32") = R.matmul(y1, gv6, out_dtype=None)
#             gv8: R.Tuple(R.Tensor((b, 1), dtype="float32"), R.Tensor((b, 1), dtype="float32")) = R.split(gv7, indices_or_sections=[1], axis=1)
#             d0: R.Tensor((b, 1), dtype="float32") = gv8[0]
#             d1: R.Tensor((b, 1), dtype="float32") = gv8[1]
#             d: R.Tensor((b, 1), dtype="float32") = R.add(d0, d1)
#         else:
#             d: R.Tensor((b, 1), dtype="float32") = R.matmul(y1, metadata["ir.GenericConst"][2], out_dtype=None)
#         return (y0, d)
