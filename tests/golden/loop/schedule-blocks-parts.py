# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# Tasks of convolutions in blocks: rows, for all channels, where the image is more than the weights; few groups of channels in parts; blocks of half a vector go in pairs, and the last group is not whole.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 8, 15, 12, 8), "float32"), v: R.Tensor((64, 64, 1, 1), "float32"), y: R.Tensor((1, 88, 7, 7, 4), "float32"), w: R.Tensor((20, 352, 1, 1), "float32")):
        with R.dataflow():
            a = R.nn.conv2d(x, v, data_layout="NCHW8c", out_layout="NCHW8c")
            b = R.nn.conv2d(y, w, data_layout="NCHW4c", out_layout="NCHW4c")
            r = (a, b)
            R.output(r)
        return r
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d(data: T.Buffer((T.int64(1), T.int64(8), T.int64(15), T.int64(12), T.int64(8)), "float32"), weight: T.Buffer((T.int64(64), T.int64(64), T.int64(1), T.int64(1)), "float32"), out: T.Buffer((T.int64(1), T.int64(8), T.int64(15), T.int64(12), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         panels = T.alloc_buffer((T.int64(4), T.int64(8), T.int64(8), T.int64(16)))
#         for og in T.parallel(T.int64(4)):
#             for ko, ki, v in T.grid(T.int64(8), T.int64(8), T.int64(2)):
#                 for l in T.vectorized(T.int64(8)):
#                     panels[og, ko, ki, l + v * T.int64(8)] = weight[(og * T.int64(2) + v) * T.int64(8) + l, ki + ko * T.int64(8), T.int64(0), T.int64(0)]
#         for task in T.parallel(T.int64(8)):
#             for row, it in T.grid(T.min(T.int64(15) - task // T.int64(4) * T.int64(8), T.int64(8)), T.int64(2)):
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 for r in T.unroll(T.int64(6)):
#                     for v in T.unroll(T.int64(2)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc[r, l + v * T.int64(8)] = T.float32(0.0)
#                 for ko, ki in T.grid(T.int64(8), T.int64(8)):
#                     for r in T.unroll(T.int64(6)):
#                         for v in T.unroll(T.int64(2)):
#                             for l in T.vectorized(T.int64(8)):
#                                 acc[r, l + v * T.int64(8)] = T.fma(panels[task % T.int64(4), ko, ki, l + v * T.int64(8)], data[T.int64(0), ko, row + task // T.int64(4) * T.int64(8), it * T.int64(6) + r, ki], acc[r, l + v * T.int64(8)])
#                 for r in T.unroll(T.int64(6)):
#                     for v in T.unroll(T.int64(2)):
#                         for l in T.vectorized(T.int64(8)):
#                             out[T.int64(0), v + task % T.int64(4) * T.int64(2), row + task // T.int64(4) * T.int64(8), it * T.int64(6) + r, l] = acc[r, l + v * T.int64(8)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def conv2d_1(data: T.Buffer((T.int64(1), T.int64(88), T.int64(7), T.int64(7), T.int64(4)), "float32"), weight: T.Buffer((T.int64(20), T.int64(352), T.int64(1), T.int64(1)), "float32"), out: T.Buffer((T.int64(1), T.int64(5), T.int64(7), T.int64(7), T.int64(4)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         panels = T.alloc_buffer((T.int64(3), T.int64(88), T.int64(4), T.int64(8)))
#         for og in T.parallel(T.int64(3)):
#             for ko, ki, v in T.grid(T.int64(88), T.int64(4), T.int64(2)):
#                 for l in T.vectorized(T.int64(4)):
#                     panels[og, ko, ki, l + v * T.int64(4)] = T.if_then_else(og * T.int64(2) + v < T.int64(5), weight[(og * T.int64(2) + v) * T.int64(4) + l, ki + ko * T.int64(4), T.int64(0), T.int64(0)], T.float32(0.0))
#         for task in T.parallel(T.int64(6)):
#             for it in range(T.min(T.int64(3) - task % T.int64(2) * T.int64(2), T.int64(2))):
#                 acc = T.alloc_local((T.int64(14), T.int64(8)))
#                 for r in T.unroll(T.int64(14)):
#                     for l in T.vectorized(T.int64(8)):
#                         acc[r, l] = T.float32(0.0)
#                 for ko, ki in T.grid(T.int64(88), T.int64(4)):
#                     for r in T.unroll(T.int64(14)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc[r, l] = T.fma(panels[task // T.int64(2), ko, ki, l], data[T.int64(0), ko, it * T.int64(2) + r // T.int64(7) + task % T.int64(2) * T.int64(4), r % T.int64(7), ki], acc[r, l])
#                 for r in T.unroll(T.int64(14)):
#                     for v in T.unroll(T.int64(2)):
#                         if v + task // T.int64(2) * T.int64(2) < T.int64(5):
#                             for l in T.vectorized(T.int64(4)):
#                                 out[T.int64(0), v + task // T.int64(2) * T.int64(2), it * T.int64(2) + r // T.int64(7) + task % T.int64(2) * T.int64(4), r % T.int64(7), l] = acc[r, l + v * T.int64(4)]
#             if task % T.int64(2) == T.int64(1):
#                 acc_1 = T.alloc_local((T.int64(7), T.int64(8)))
#                 for r in T.unroll(T.int64(7)):
#                     for l in T.vectorized(T.int64(8)):
#                         acc_1[r, l] = T.float32(0.0)
#                 for ko, ki in T.grid(T.int64(88), T.int64(4)):
#                     for r in T.unroll(T.int64(7)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc_1[r, l] = T.fma(panels[task // T.int64(2), ko, ki, l], data[T.int64(0), ko, T.int64(6), r, ki], acc_1[r, l])
#                 for r in T.unroll(T.int64(7)):
#                     for v in T.unroll(T.int64(2)):
#                         if v + task // T.int64(2) * T.int64(2) < T.int64(5):
#                             for l in T.vectorized(T.int64(4)):
#                                 out[T.int64(0), v + task // T.int64(2) * T.int64(2), T.int64(6), r, l] = acc_1[r, l + v * T.int64(4)]
#
#     @R.function
#     def main(x: R.Tensor((1, 8, 15, 12, 8), dtype="float32"), v: R.Tensor((64, 64, 1, 1), dtype="float32"), y: R.Tensor((1, 88, 7, 7, 4), dtype="float32"), w: R.Tensor((20, 352, 1, 1), dtype="float32")) -> R.Tuple(R.Tensor((1, 8, 15, 12, 8), dtype="float32"), R.Tensor((1, 5, 7, 7, 4), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.conv2d, (x, v), out_ty=R.Tensor((1, 8, 15, 12, 8), dtype="float32"))
#             b = R.call_tir(cls.conv2d_1, (y, w), out_ty=R.Tensor((1, 5, 7, 7, 4), dtype="float32"))
#             r: R.Tuple(R.Tensor((1, 8, 15, 12, 8), dtype="float32"), R.Tensor((1, 5, 7, 7, 4), dtype="float32")) = a, b
#             R.output(r)
#         return r
