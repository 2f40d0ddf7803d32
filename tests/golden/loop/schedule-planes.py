# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# Planes of windows, of 8 rows at most, are an even number, all of one size: four of 5 rows, not three of 8, 8 and 4.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 20, 300, 8), "float32")):
        with R.dataflow():
            r = R.nn.max_pool2d(x, pool_size=[3, 3], padding=[1, 1], layout="NCHW8c", out_layout="NCHW8c")
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
#     def max_pool2d(data: T.Buffer((T.int64(1), T.int64(1), T.int64(20), T.int64(300), T.int64(8)), "float32"), out: T.Buffer((T.int64(1), T.int64(1), T.int64(20), T.int64(300), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 4, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for it in T.parallel(T.int64(4)):
#             plane = T.alloc_buffer((T.int64(7), T.int64(302), T.int64(8)))
#             for u, v in T.grid(T.int64(7), T.int64(302)):
#                 for l in T.vectorized(T.int64(8)):
#                     plane[u, v, l] = T.if_then_else(T.int64(0) <= it * T.int64(5) + u - T.int64(1) and it * T.int64(5) + u - T.int64(1) < T.int64(20) and T.int64(0) <= v - T.int64(1) and v - T.int64(1) < T.int64(300), data[T.int64(0), T.int64(0), it * T.int64(5) + u - T.int64(1), v - T.int64(1), l], T.float32("-inf"))
#             for q, ax3 in T.grid(T.int64(5), T.int64(300)):
#                 acc = T.alloc_local((T.int64(8),))
#                 for l in T.vectorized(T.int64(8)):
#                     acc[l] = T.float32("-inf")
#                 for k0 in T.unroll(T.int64(3)):
#                     for k1 in T.unroll(T.int64(3)):
#                         for l in T.vectorized(T.int64(8)):
#                             acc[l] = T.max(acc[l], plane[k0 + q, ax3 + k1, l])
#                 for l in T.vectorized(T.int64(8)):
#                     out[T.int64(0), T.int64(0), it * T.int64(5) + q, ax3, l] = acc[l]
#
#     @R.function
#     def main(x: R.Tensor((1, 1, 20, 300, 8), dtype="float32")) -> R.Tensor((1, 1, 20, 300, 8), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             r = R.call_tir(cls.max_pool2d, (x,), out_ty=R.Tensor((1, 1, 20, 300, 8), dtype="float32"))
#             R.output(r)
#         return r
