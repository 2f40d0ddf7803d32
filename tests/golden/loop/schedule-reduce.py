# RUN: opt -p ScheduleCPU(vector_bytes=16) --verify-each --roundtrip-each --check-each
# A sum along rows gets sixteen accumulators, a rest of ten in lanes as well, and a fixed tree. Where the kept
# axis is the contiguous one, it goes as vectors and the order of additions stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def row_sums(x: T.Buffer((T.int64(4), T.int64(90)), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i, k in T.grid(T.int64(4), T.int64(90)):
            with T.sblock("sum"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                with T.init():
                    y[v_i] = T.float32(0)
                y[v_i] = y[v_i] + x[v_i, v_k]

    @T.prim_func(private=True)
    def column_sums(x: T.Buffer((T.int64(90), T.int64(4)), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for k, i in T.grid(T.int64(90), T.int64(4)):
            with T.sblock("sum"):
                v_k, v_i = T.axis.remap("RS", [k, i])
                with T.init():
                    y[v_i] = T.float32(0)
                y[v_i] = y[v_i] + x[v_k, v_i]

    @T.prim_func(private=True)
    def row_maxima(x: T.Buffer((T.int64(4), T.int64(32)), "int32"), y: T.Buffer((T.int64(4),), "int32")):
        for i in range(T.int64(4)):
            y[i] = x[i, T.int64(0)]
            for k in range(T.int64(32)):
                y[i] = T.max(x[i, k], y[i])

    @R.function
    def main(x: R.Tensor((4, 90), "float32"), z: R.Tensor((90, 4), "float32"), n: R.Tensor((4, 32), "int32")):
        cls = Module
        a = R.call_tir(cls.row_sums, (x,), out_ty=R.Tensor((4,), "float32"))
        b = R.call_tir(cls.column_sums, (z,), out_ty=R.Tensor((4,), "float32"))
        c = R.call_tir(cls.row_maxima, (n,), out_ty=R.Tensor((4,), "int32"))
        return (a, b, c)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def column_sums(x: T.Buffer((T.int64(90), T.int64(4)), "float32"), y: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.vectorized(T.int64(4)):
#             y[i] = T.float32(0.0)
#         for k in range(T.int64(90)):
#             for i in T.vectorized(T.int64(4)):
#                 y[i] = y[i] + x[k, i]
#
#     @T.prim_func(private=True)
#     def row_maxima(x: T.Buffer((T.int64(4), T.int64(32)), "int32"), y: T.Buffer((T.int64(4),), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(T.int64(4)):
#             y[i] = x[i, T.int64(0)]
#             acc = T.alloc_local((T.int64(16),), "int32")
#             for l in T.vectorized(T.int64(16)):
#                 acc[l] = -2147483648
#             for ko in range(T.int64(2)):
#                 for l in T.vectorized(T.int64(16)):
#                     acc[l] = T.max(x[i, ko * T.int64(16) + l], acc[l])
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = T.max(acc[l], acc[l + T.int64(8)])
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = T.max(acc[l], acc[l + T.int64(4)])
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = T.max(acc[l], acc[l + T.int64(2)])
#             y[i] = T.max(y[i], T.max(acc[T.int64(0)], acc[T.int64(1)]))
#
#     @T.prim_func(private=True, s_tir=True)
#     def row_sums(x: T.Buffer((T.int64(4), T.int64(90)), "float32"), y: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(T.int64(4)):
#             y[i] = T.float32(0.0)
#             acc = T.alloc_local((T.int64(16),))
#             for l in T.vectorized(T.int64(16)):
#                 acc[l] = T.float32(0.0)
#             for ko in range(T.int64(5)):
#                 for l in T.vectorized(T.int64(16)):
#                     acc[l] = acc[l] + x[i, ko * T.int64(16) + l]
#             for l in T.vectorized(T.int64(10)):
#                 acc[l] = acc[l] + x[i, T.int64(80) + l]
#             for l in T.vectorized(T.int64(8)):
#                 acc[l] = acc[l] + acc[l + T.int64(8)]
#             for l in T.vectorized(T.int64(4)):
#                 acc[l] = acc[l] + acc[l + T.int64(4)]
#             for l in T.vectorized(T.int64(2)):
#                 acc[l] = acc[l] + acc[l + T.int64(2)]
#             y[i] = y[i] + (acc[T.int64(0)] + acc[T.int64(1)])
#
#     @R.function
#     def main(x: R.Tensor((4, 90), dtype="float32"), z: R.Tensor((90, 4), dtype="float32"), n: R.Tensor((4, 32), dtype="int32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="int32")):
#         cls = Module
#         a = R.call_tir(cls.row_sums, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         b = R.call_tir(cls.column_sums, (z,), out_ty=R.Tensor((4,), dtype="float32"))
#         c = R.call_tir(cls.row_maxima, (n,), out_ty=R.Tensor((4,), dtype="int32"))
#         return (a, b, c)
