# RUN: opt -p ScheduleCPU(vector_bytes=16) --verify-each --roundtrip-each --check-each
# Neighbouring nests over rows become one; what lies between them shrinks to a number. A loop that stores
# and sums goes in lanes as a whole.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def normalize(x: T.Buffer((T.int64(64), T.int64(256)), "float32"), y: T.Buffer((T.int64(64), T.int64(256)), "float32")):
        total = T.alloc_buffer((T.int64(64),), "float32")
        squares = T.alloc_buffer((T.int64(64), T.int64(256)), "float32")
        for i in range(T.int64(64)):
            total[i] = T.float32(0)
            for k in range(T.int64(256)):
                squares[i, k] = x[i, k] * x[i, k]
                total[i] = total[i] + squares[i, k]
        for i, j in T.grid(T.int64(64), T.int64(256)):
            y[i, j] = squares[i, j] / total[i]

    @T.prim_func(private=True)
    def shift(x: T.Buffer((T.int64(64), T.int64(256)), "float32"), y: T.Buffer((T.int64(64), T.int64(256)), "float32")):
        least = T.alloc_buffer((T.int64(64),), "float32")
        for i in range(T.int64(64)):
            least[i] = T.float32("inf")
            for k in range(T.int64(256)):
                least[i] = T.min(least[i], x[i, k])
        for i, j in T.grid(T.int64(64), T.int64(256)):
            y[i, j] = x[i, j] - least[i]

    @R.function
    def main(x: R.Tensor((64, 256), "float32")):
        cls = Module
        y = R.call_tir(cls.normalize, (x,), out_ty=R.Tensor((64, 256), "float32"))
        z = R.call_tir(cls.shift, (y,), out_ty=R.Tensor((64, 256), "float32"))
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def normalize(x: T.Buffer((T.int64(64), T.int64(256)), "float32"), y: T.Buffer((T.int64(64), T.int64(256)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.parallel(T.int64(64)):
#             total = T.alloc_buffer((T.int64(1),))
#             total[T.int64(0)] = T.float32(0.0)
#             acc = T.alloc_local((T.int64(16),))
#             for l in T.vectorized(T.int64(16)):
#                 acc[l] = T.float32(0.0)
#             for ko in range(T.int64(16)):
#                 for l in T.vectorized(T.int64(16)):
#                     y[i, ko * T.int64(16) + l] = x[i, ko * T.int64(16) + l] * x[i, ko * T.int64(16) + l]
#                     acc[l] = acc[l] + y[i, ko * T.int64(16) + l]
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = acc[l] + acc[l + T.int64(8)]
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = acc[l] + acc[l + T.int64(4)]
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = acc[l] + acc[l + T.int64(2)]
#             total[T.int64(0)] = total[T.int64(0)] + (acc[T.int64(0)] + acc[T.int64(1)])
#             for j in T.vectorized(T.int64(256)):
#                 y[i, j] = y[i, j] / total[T.int64(0)]
#
#     @T.prim_func(private=True)
#     def shift(x: T.Buffer((T.int64(64), T.int64(256)), "float32"), y: T.Buffer((T.int64(64), T.int64(256)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.parallel(T.int64(64)):
#             least = T.alloc_buffer((T.int64(1),))
#             least[T.int64(0)] = T.float32("inf")
#             acc = T.alloc_local((T.int64(16),))
#             for l in T.vectorized(T.int64(16)):
#                 acc[l] = T.float32("inf")
#             for ko in range(T.int64(16)):
#                 for l in T.vectorized(T.int64(16)):
#                     acc[l] = T.min(x[i, ko * T.int64(16) + l], acc[l])
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = T.min(acc[l], acc[l + T.int64(8)])
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = T.min(acc[l], acc[l + T.int64(4)])
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = T.min(acc[l], acc[l + T.int64(2)])
#             least[T.int64(0)] = T.min(least[T.int64(0)], T.min(acc[T.int64(0)], acc[T.int64(1)]))
#             for j in T.vectorized(T.int64(256)):
#                 y[i, j] = x[i, j] - least[T.int64(0)]
#
#     @R.function
#     def main(x: R.Tensor((64, 256), dtype="float32")) -> R.Tensor((64, 256), dtype="float32"):
#         cls = Module
#         y = R.call_tir(cls.normalize, (x,), out_ty=R.Tensor((64, 256), dtype="float32"))
#         z = R.call_tir(cls.shift, (y,), out_ty=R.Tensor((64, 256), dtype="float32"))
#         return z
