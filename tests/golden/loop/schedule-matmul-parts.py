# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# Where the weights stay in the cache, threads share rows: parts of these, each with all columns.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((75, 64), "float32"), w: R.Tensor((64, 96), "float32")):
        with R.dataflow():
            r = R.matmul(x, w)
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
#     def matmul(x1: T.Buffer((T.int64(75), T.int64(64)), "float32"), x2: T.Buffer((T.int64(64), T.int64(96)), "float32"), out: T.Buffer((T.int64(75), T.int64(96)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         panels = T.alloc_buffer((T.int64(6), T.int64(64), T.int64(16)))
#         for p in T.parallel(T.int64(6)):
#             for k in range(T.int64(64)):
#                 for c in T.vectorized(T.int64(16)):
#                     panels[p, k, c] = x2[k, c + p * T.int64(16)]
#         for jb in T.parallel(T.int64(12)):
#             for ib in range(T.int64(6)):
#                 acc = T.alloc_local((T.int64(6), T.int64(16)))
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(16)):
#                         acc[r, c] = T.float32(0.0)
#                 for k in range(T.int64(64)):
#                     for r in T.unroll(T.int64(6)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc[r, c] = T.fma(x1[ib * T.int64(6) + r + jb // T.int64(6) * T.int64(36), k], panels[jb % T.int64(6), k, c], acc[r, c])
#                 for r in T.unroll(T.int64(6)):
#                     for c in T.vectorized(T.int64(16)):
#                         out[ib * T.int64(6) + r + jb // T.int64(6) * T.int64(36), c + jb % T.int64(6) * T.int64(16)] = acc[r, c]
#             if jb // T.int64(6) == T.int64(1):
#                 acc_1 = T.alloc_local((T.int64(3), T.int64(16)))
#                 for r in T.unroll(T.int64(3)):
#                     for c in T.vectorized(T.int64(16)):
#                         acc_1[r, c] = T.float32(0.0)
#                 for k in range(T.int64(64)):
#                     for r in T.unroll(T.int64(3)):
#                         for c in T.vectorized(T.int64(16)):
#                             acc_1[r, c] = T.fma(x1[r + T.int64(72), k], panels[jb % T.int64(6), k, c], acc_1[r, c])
#                 for r in T.unroll(T.int64(3)):
#                     for c in T.vectorized(T.int64(16)):
#                         out[r + T.int64(72), c + jb % T.int64(6) * T.int64(16)] = acc_1[r, c]
#
#     @R.function
#     def main(x: R.Tensor((75, 64), dtype="float32"), w: R.Tensor((64, 96), dtype="float32")) -> R.Tensor((75, 96), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r = R.call_tir(cls.matmul, (x, w), out_ty=R.Tensor((75, 96), dtype="float32"))
#             R.output(r)
#         return r
