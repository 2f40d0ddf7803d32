# RUN: opt -p SimplifyGraph(rules="repeat_of_groups"),LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on")
# One query of each head: threads take whole heads, also where the columns of one are many or its sum is long. Heads that share values read them
# where they lie.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(p: R.Tensor((1, 8, 1, 4096), "float32"), v: R.Tensor((1, 2, 1, 4096, 64), "float32")):
        with R.dataflow():
            wide = R.reshape(R.broadcast_to(v, R.shape([1, 2, 4, 4096, 64])), R.shape([1, 8, 4096, 64]))
            y = R.matmul(p, wide)
            R.output(y)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_repeat_matmul(x: T.Buffer((T.int64(1), T.int64(2), T.int64(4096), T.int64(64)), "float32"), p: T.Buffer((T.int64(1), T.int64(8), T.int64(1), T.int64(4096)), "float32"), y: T.Buffer((T.int64(1), T.int64(8), T.int64(1), T.int64(64)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax1 in T.parallel(T.int64(8)):
#             for jj in T.vectorized(T.int64(64)):
#                 y[T.int64(0), ax1, T.int64(0), jj] = T.float32(0.0)
#             for ko in range(T.int64(512)):
#                 for jj in T.vectorized(T.int64(64)):
#                     y[T.int64(0), ax1, T.int64(0), jj] = T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(7)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(7), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(6)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(6), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(5)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(5), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(4)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(4), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(3)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(3), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(2)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(2), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8) + T.int64(1)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8) + T.int64(1), jj], T.fma(p[T.int64(0), ax1, T.int64(0), ko * T.int64(8)], x[T.int64(0), ax1 // T.int64(4), ko * T.int64(8), jj], y[T.int64(0), ax1, T.int64(0), jj]))))))))
#
#     @R.function
#     def main(p: R.Tensor((1, 8, 1, 4096), dtype="float32"), v: R.Tensor((1, 2, 1, 4096, 64), dtype="float32")) -> R.Tensor((1, 8, 1, 64), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             lv: R.Tensor((1, 2, 4096, 64), dtype="float32") = R.reshape(v, R.shape([1, 2, 4096, 64]))
#             y = R.call_tir(cls.fused_repeat_matmul, (lv, p), out_ty=R.Tensor((1, 8, 1, 64), dtype="float32"))
#             R.output(y)
#         return y
