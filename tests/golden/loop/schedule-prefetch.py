# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# While a panel of weights is multiplied, the next one is asked for: two passes of 6 rows go over a panel of 16 by 16.  Data is not asked for.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((12, 16), "float32"), y: R.Tensor((16, 48), "float32")) -> R.Tuple(R.Tensor((12, 32), "float32"), R.Tensor((12, 48), "float32")):
        with R.dataflow():
            a = R.matmul(x, R.const([[-5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0], [2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4], [-2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3], [5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1], [1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5], [-3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2], [4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2], [0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5], [-4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1], [3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3], [-1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4], [-5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0], [2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4], [-2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3], [5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1], [1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5, -2, 1, 4, -4, -1, 2, 5, -3, 0, 3, -5]], "float32"))
            b = R.matmul(x, y)
            R.output(a, b)
        return a, b
# OUT:
# metadata = tvm.ir.load_json("""{
#   \"root_index\": 15,
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
#       \"data\": 16
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
#       \"data\": 32
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
#       \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAQAAAAAAAAACAAAAAAAAAAAAgAAAAAAAAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwAAAAMAAAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAIA/AACAQAAAgMAAAIC/AAAAQAAAoEAAAEDAAAAAAAAAQEAAAKDAAAAAwAAAgD8AAIBAAACAwAAAgL8AAABAAACgQAAAQMAAAAAAAABAQAAAoMAAAADAAACAPwAAgEAAAIDAAACAvwAAAEAAAKBAAABAwAAAAAAAAEBAAACgwA==\"
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
#       \"type\": \"ffi.String\",
#       \"data\": \"ir.GenericConst\"
#     },
#     {
#       \"type\": \"ffi.Array\",
#       \"data\": [
#         12
#       ]
#     },
#     {
#       \"type\": \"ffi.Map\",
#       \"data\": [
#         13,
#         14
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
#     def matmul(x1: T.Buffer((T.int64(12), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(32)), "float32"), out: T.Buffer((T.int64(12), T.int64(32)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         panels = T.alloc_buffer((T.int64(2), T.int64(16), T.int64(16)))
#         for p, k in T.grid(T.int64(2), T.int64(16)):
#             for c in T.vectorized(T.int64(16)):
#                 panels[p, k, c] = x2[k, c + p * T.int64(16)]
#         for jb in T.serial(T.int64(2), annotations={"prefetch": 256}):
#             for ib in T.parallel(T.int64(2)):
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(16)):
#                         acc[r, c] = T.float32(0.0)
#                 for k in T.serial(T.int64(16), annotations={"prefetch_bytes": 32}):
#                     for r in T.unroll(T.int64(6)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc[r, c] = T.fma(x1[ib * T.int64(6) + r, k], panels[jb, k, c], acc[r, c])
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(16)):
#                         out[ib * T.int64(6) + r, c + jb * T.int64(16)] = acc[r, c]
#
#     @T.prim_func(private=True, s_tir=True)
#     def matmul_1(x1: T.Buffer((T.int64(12), T.int64(16)), "float32"), x2: T.Buffer((T.int64(16), T.int64(48)), "float32"), out: T.Buffer((T.int64(12), T.int64(48)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for i in range(T.int64(12)):
#             for jj in T.vectorized(T.int64(48)):
#                 out[i, jj] = T.float32(0.0)
#         for ko in range(T.int64(2)):
#             for i in T.parallel(T.int64(12)):
#                 for jj in T.vectorized(T.int64(48)):
#                     out[i, jj] = T.fma(x1[i, ko * T.int64(8) + T.int64(7)], x2[ko * T.int64(8) + T.int64(7), jj], T.fma(x1[i, ko * T.int64(8) + T.int64(6)], x2[ko * T.int64(8) + T.int64(6), jj], T.fma(x1[i, ko * T.int64(8) + T.int64(5)], x2[ko * T.int64(8) + T.int64(5), jj], T.fma(x1[i, ko * T.int64(8) + T.int64(4)], x2[ko * T.int64(8) + T.int64(4), jj], T.fma(x1[i, ko * T.int64(8) + T.int64(3)], x2[ko * T.int64(8) + T.int64(3), jj], T.fma(x1[i, ko * T.int64(8) + T.int64(2)], x2[ko * T.int64(8) + T.int64(2), jj], T.fma(x1[i, ko * T.int64(8) + T.int64(1)], x2[ko * T.int64(8) + T.int64(1), jj], T.fma(x1[i, ko * T.int64(8)], x2[ko * T.int64(8), jj], out[i, jj]))))))))
#
#     @R.function
#     def main(x: R.Tensor((12, 16), dtype="float32"), y: R.Tensor((16, 48), dtype="float32")) -> R.Tuple(R.Tensor((12, 32), dtype="float32"), R.Tensor((12, 48), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.matmul, (x, metadata["ir.GenericConst"][0]), out_ty=R.Tensor((12, 32), dtype="float32"))
#             b = R.call_tir(cls.matmul_1, (x, y), out_ty=R.Tensor((12, 48), dtype="float32"))
#             R.output(a, b)
#         return (a, b)
