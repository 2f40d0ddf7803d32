# RUN: opt -p ScheduleCPU(vector_bytes=32,fma="on") --verify-each --roundtrip-each --check-each
# No products of matrices that could be blocked: integers, a factor that is the sum itself, a triangle, and
# storage with a second name. Their inner loops may still go as vectors.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def integers(x: T.Buffer((T.int64(32), T.int64(32)), "int32"), w: T.Buffer((T.int64(32), T.int64(32)), "int32"), y: T.Buffer((T.int64(32), T.int64(32)), "int32")):
        for i, k, j in T.grid(T.int64(32), T.int64(32), T.int64(32)):
            y[i, j] = y[i, j] + x[i, k] * w[k, j]

    @T.prim_func
    def itself(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), y: T.Buffer((T.int64(32), T.int64(32)), "float32")):
        for i, k, j in T.grid(T.int64(32), T.int64(32), T.int64(32)):
            y[i, j] = y[i, j] + x[i, k] * y[k, j]

    @T.prim_func
    def triangle(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), w: T.Buffer((T.int64(32), T.int64(32)), "float32"), y: T.Buffer((T.int64(32), T.int64(32)), "float32")):
        for i in range(T.int64(32)):
            for k in range(i):
                for j in range(T.int64(32)):
                    y[i, j] = y[i, j] + x[i, k] * w[k, j]

    # what is summed is read from the result itself: no matmul, but vectors of one row
    @T.prim_func
    def two_names(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), y: T.Buffer((T.int64(32), T.int64(32)), "float32")):
        w = T.decl_buffer((T.int64(32), T.int64(32)), "float32", data=y.data)
        for i, k, j in T.grid(T.int64(32), T.int64(32), T.int64(32)):
            y[i, j] = y[i, j] + x[i, k] * w[k, j]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def integers(x: T.Buffer((T.int64(32), T.int64(32)), "int32"), w: T.Buffer((T.int64(32), T.int64(32)), "int32"), y: T.Buffer((T.int64(32), T.int64(32)), "int32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.parallel(T.int64(32)):
#             for k in range(T.int64(32)):
#                 for j in T.vectorized(T.int64(32)):
#                     y[i, j] = y[i, j] + x[i, k] * w[k, j]
#
#     @T.prim_func
#     def itself(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), y: T.Buffer((T.int64(32), T.int64(32)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i, k in T.grid(T.int64(32), T.int64(32)):
#             for j in T.vectorized(T.int64(32)):
#                 y[i, j] = y[i, j] + x[i, k] * y[k, j]
#
#     @T.prim_func
#     def triangle(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), w: T.Buffer((T.int64(32), T.int64(32)), "float32"), y: T.Buffer((T.int64(32), T.int64(32)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in T.parallel(T.int64(32)):
#             for ko in range(i // T.int64(8)):
#                 for jj in T.vectorized(T.int64(32)):
#                     y[i, jj] = T.fma(x[i, ko * T.int64(8) + T.int64(7)], w[ko * T.int64(8) + T.int64(7), jj], T.fma(x[i, ko * T.int64(8) + T.int64(6)], w[ko * T.int64(8) + T.int64(6), jj], T.fma(x[i, ko * T.int64(8) + T.int64(5)], w[ko * T.int64(8) + T.int64(5), jj], T.fma(x[i, ko * T.int64(8) + T.int64(4)], w[ko * T.int64(8) + T.int64(4), jj], T.fma(x[i, ko * T.int64(8) + T.int64(3)], w[ko * T.int64(8) + T.int64(3), jj], T.fma(x[i, ko * T.int64(8) + T.int64(2)], w[ko * T.int64(8) + T.int64(2), jj], T.fma(x[i, ko * T.int64(8) + T.int64(1)], w[ko * T.int64(8) + T.int64(1), jj], T.fma(x[i, ko * T.int64(8)], w[ko * T.int64(8), jj], y[i, jj]))))))))
#             for kt in range(i - i // T.int64(8) * T.int64(8)):
#                 for jj in T.vectorized(T.int64(32)):
#                     y[i, jj] = T.fma(x[i, kt + i // T.int64(8) * T.int64(8)], w[kt + i // T.int64(8) * T.int64(8), jj], y[i, jj])
#
#     @T.prim_func
#     def two_names(x: T.Buffer((T.int64(32), T.int64(32)), "float32"), y: T.Buffer((T.int64(32), T.int64(32)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         w = T.decl_buffer((T.int64(32), T.int64(32)), data=y.data)
#         for i, k in T.grid(T.int64(32), T.int64(32)):
#             for j in T.vectorized(T.int64(32)):
#                 y[i, j] = y[i, j] + x[i, k] * w[k, j]
