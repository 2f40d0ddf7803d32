# RUN: opt -p FoldConstant(limit=4096),ScheduleCPU(vector_bytes=16,fma="on") --verify-each --roundtrip-each --check-each
# Constant weights of 4 bits, with a scale for each 16 along the sum, keep their bits in panels; a scale is multiplied with the sum of its block, also of
# the last one, which is shorter.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def product(x: T.Buffer((T.int64(2), T.int64(40)), "float32"), w: T.Buffer((T.int64(20), T.int64(60)), "uint8"), s: T.Buffer((T.int64(3), T.int64(60)), "float32"), y: T.Buffer((T.int64(2), T.int64(60)), "float32")):
        for i, k, j in T.grid(T.int64(2), T.int64(40), T.int64(60)):
            with T.sblock("product"):
                v_i, v_k, v_j = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    y[v_i, v_j] = T.float32(0)
                y[v_i, v_j] = y[v_i, v_j] + x[v_i, v_k] * ((T.Cast("float32", T.Select(v_k % T.int64(2) == T.int64(0), w[v_k // T.int64(2), v_j] % T.uint8(16), w[v_k // T.int64(2), v_j] // T.uint8(16))) - T.float32(8)) * s[v_k // T.int64(16), v_j])

    @R.function
    def main(x: R.Tensor((2, 40), "float32")):
        cls = Module
        with R.dataflow():
            w = R.full(R.shape([20, 60]), R.const(25, "uint8"), dtype="uint8")
            s = R.ones(R.shape([3, 60]), dtype="float32")
            y = R.call_tir(cls.product, (x, w, s), out_ty=R.Tensor((2, 60), "float32"))
            R.output(y)
        return y
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 26,
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
#       \"data\": 20
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
#       \"data\": 60
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
#         \"dtype\": \"uint8\"
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAEIAQAUAAAAAAAAADwAAAAAAAAAsAQAAAAAAAAZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRkZGRk=\"
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
#       \"data\": 3
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
#       \"data\": 60
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQADAAAAAAAAADwAAAAAAAAA0AIAAAAAAAAAAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/AACAPwAAgD8=\"
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
#       \"type\": \"ffi.String\",
#       \"data\": \"ir.GenericConst\"
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         12,
#         23
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         24,
#         25
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
#     def product(x: T.Buffer((T.int64(2), T.int64(40)), "float32"), w: T.Buffer((T.int64(20), T.int64(60)), "uint8"), s: T.Buffer((T.int64(3), T.int64(60)), "float32"), y: T.Buffer((T.int64(2), T.int64(60)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         panels = T.alloc_buffer((T.int64(8), T.int64(20), T.int64(8)), "uint8")
#         panels_1 = T.alloc_buffer((T.int64(8), T.int64(3), T.int64(8)))
#         for p, k in T.grid(T.int64(8), T.int64(20)):
#             for c in T.vectorized(T.int64(8)):
#                 panels[p, k, c] = T.if_then_else(c + p * T.int64(8) < T.int64(60), w[k, c + p * T.int64(8)], T.uint8(0))
#         for p, k in T.grid(T.int64(8), T.int64(3)):
#             for c in T.vectorized(T.int64(8)):
#                 panels_1[p, k, c] = T.if_then_else(c + p * T.int64(8) < T.int64(60), s[k, c + p * T.int64(8)], T.float32(0.0))
#         for jb in T.parallel(T.int64(3)):
#             acc = T.alloc_local((T.int64(2), T.int64(2), T.int64(8)))
#             for q in T.unroll(T.int64(2)):
#                 for r in T.unroll(T.int64(2)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc[q, r, c] = T.float32(0.0)
#             part = T.alloc_local((T.int64(2), T.int64(2), T.int64(8)))
#             for kb in range(T.int64(2)):
#                 for q in T.unroll(T.int64(2)):
#                     for r in T.unroll(T.int64(2)):
#                         for c in T.vectorized(T.int64(8)):
#                             part[q, r, c] = T.float32(0.0)
#                 for ko in range(T.int64(2)):
#                     for q in T.unroll(T.int64(2)):
#                         for r in T.unroll(T.int64(2)):
#                             for c in T.vectorized(T.int64(8)):
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(1)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(2)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4) + T.int64(1), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(3)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4) + T.int64(1), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(4)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4) + T.int64(2), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(5)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4) + T.int64(2), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(6)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4) + T.int64(3), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                                 part[q, r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(7)], T.Cast("float32", panels[jb * T.int64(2) + q, kb * T.int64(8) + ko * T.int64(4) + T.int64(3), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                 for q in T.unroll(T.int64(2)):
#                     for r in T.unroll(T.int64(2)):
#                         for c in T.vectorized(T.int64(8)):
#                             acc[q, r, c] = T.fma(part[q, r, c], panels_1[jb * T.int64(2) + q, kb, c], acc[q, r, c])
#             for q in T.unroll(T.int64(2)):
#                 for r in T.unroll(T.int64(2)):
#                     for c in T.vectorized(T.int64(8)):
#                         part[q, r, c] = T.float32(0.0)
#             for q in T.unroll(T.int64(2)):
#                 for r in T.unroll(T.int64(2)):
#                     for c in T.vectorized(T.int64(8)):
#                         part[q, r, c] = T.fma(x[r, T.int64(32)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(16), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(33)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(16), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(34)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(17), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(35)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(17), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(36)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(18), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(37)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(18), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(38)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(19), c] % T.uint8(16)) - T.float32(8.0), part[q, r, c])
#                         part[q, r, c] = T.fma(x[r, T.int64(39)], T.Cast("float32", panels[jb * T.int64(2) + q, T.int64(19), c] // T.uint8(16)) - T.float32(8.0), part[q, r, c])
#             for q in T.unroll(T.int64(2)):
#                 for r in T.unroll(T.int64(2)):
#                     for c in T.vectorized(T.int64(8)):
#                         acc[q, r, c] = T.fma(part[q, r, c], panels_1[jb * T.int64(2) + q, T.int64(2), c], acc[q, r, c])
#                         y[r, c + jb * T.int64(16) + q * T.int64(8)] = acc[q, r, c]
#         acc_1 = T.alloc_local((T.int64(2), T.int64(8)))
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 acc_1[r, c] = T.float32(0.0)
#         part_1 = T.alloc_local((T.int64(2), T.int64(8)))
#         for kb in range(T.int64(2)):
#             for r in T.unroll(T.int64(2)):
#                 for c in T.vectorized(T.int64(8)):
#                     part_1[r, c] = T.float32(0.0)
#             for ko in range(T.int64(2)):
#                 for r in T.unroll(T.int64(2)):
#                     for c in T.vectorized(T.int64(8)):
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(1)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(2)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4) + T.int64(1), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(3)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4) + T.int64(1), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(4)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4) + T.int64(2), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(5)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4) + T.int64(2), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(6)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4) + T.int64(3), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                         part_1[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(7)], T.Cast("float32", panels[T.int64(6), kb * T.int64(8) + ko * T.int64(4) + T.int64(3), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#             for r in T.unroll(T.int64(2)):
#                 for c in T.vectorized(T.int64(8)):
#                     acc_1[r, c] = T.fma(part_1[r, c], panels_1[T.int64(6), kb, c], acc_1[r, c])
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 part_1[r, c] = T.float32(0.0)
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 part_1[r, c] = T.fma(x[r, T.int64(32)], T.Cast("float32", panels[T.int64(6), T.int64(16), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(33)], T.Cast("float32", panels[T.int64(6), T.int64(16), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(34)], T.Cast("float32", panels[T.int64(6), T.int64(17), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(35)], T.Cast("float32", panels[T.int64(6), T.int64(17), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(36)], T.Cast("float32", panels[T.int64(6), T.int64(18), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(37)], T.Cast("float32", panels[T.int64(6), T.int64(18), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(38)], T.Cast("float32", panels[T.int64(6), T.int64(19), c] % T.uint8(16)) - T.float32(8.0), part_1[r, c])
#                 part_1[r, c] = T.fma(x[r, T.int64(39)], T.Cast("float32", panels[T.int64(6), T.int64(19), c] // T.uint8(16)) - T.float32(8.0), part_1[r, c])
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 acc_1[r, c] = T.fma(part_1[r, c], panels_1[T.int64(6), T.int64(2), c], acc_1[r, c])
#                 y[r, c + T.int64(48)] = acc_1[r, c]
#         acc_2 = T.alloc_local((T.int64(2), T.int64(8)))
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 acc_2[r, c] = T.float32(0.0)
#         part_2 = T.alloc_local((T.int64(2), T.int64(8)))
#         for kb in range(T.int64(2)):
#             for r in T.unroll(T.int64(2)):
#                 for c in T.vectorized(T.int64(8)):
#                     part_2[r, c] = T.float32(0.0)
#             for ko in range(T.int64(2)):
#                 for r in T.unroll(T.int64(2)):
#                     for c in T.vectorized(T.int64(8)):
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(1)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(2)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4) + T.int64(1), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(3)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4) + T.int64(1), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(4)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4) + T.int64(2), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(5)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4) + T.int64(2), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(6)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4) + T.int64(3), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                         part_2[r, c] = T.fma(x[r, kb * T.int64(16) + ko * T.int64(8) + T.int64(7)], T.Cast("float32", panels[T.int64(7), kb * T.int64(8) + ko * T.int64(4) + T.int64(3), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#             for r in T.unroll(T.int64(2)):
#                 for c in T.vectorized(T.int64(8)):
#                     acc_2[r, c] = T.fma(part_2[r, c], panels_1[T.int64(7), kb, c], acc_2[r, c])
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 part_2[r, c] = T.float32(0.0)
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 part_2[r, c] = T.fma(x[r, T.int64(32)], T.Cast("float32", panels[T.int64(7), T.int64(16), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(33)], T.Cast("float32", panels[T.int64(7), T.int64(16), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(34)], T.Cast("float32", panels[T.int64(7), T.int64(17), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(35)], T.Cast("float32", panels[T.int64(7), T.int64(17), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(36)], T.Cast("float32", panels[T.int64(7), T.int64(18), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(37)], T.Cast("float32", panels[T.int64(7), T.int64(18), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(38)], T.Cast("float32", panels[T.int64(7), T.int64(19), c] % T.uint8(16)) - T.float32(8.0), part_2[r, c])
#                 part_2[r, c] = T.fma(x[r, T.int64(39)], T.Cast("float32", panels[T.int64(7), T.int64(19), c] // T.uint8(16)) - T.float32(8.0), part_2[r, c])
#         for r in T.unroll(T.int64(2)):
#             for c in T.vectorized(T.int64(8)):
#                 acc_2[r, c] = T.fma(part_2[r, c], panels_1[T.int64(7), T.int64(2), c], acc_2[r, c])
#             for c in T.vectorized(T.int64(4)):
#                 y[r, c + T.int64(56)] = acc_2[r, c]
#
#     @R.function
#     def main(x: R.Tensor((2, 40), dtype="float32")) -> R.Tensor((2, 60), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             y = R.call_tir(cls.product, (x, metadata["ir.GenericConst"][0], metadata["ir.GenericConst"][1]), out_ty=R.Tensor((2, 60), dtype="float32"))
#             R.output(y)
#         return y
