# RUN: opt -p ScheduleCPU(vector_bytes=16,fma="on") --verify-each --roundtrip-each --check-each
# A product of six rows with weights of float16: widened for four rows at a time, then for two.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def product(x: T.Buffer((T.int64(6), T.int64(19)), "float32"), w: T.Buffer((T.int64(19), T.int64(40)), "float16"), y: T.Buffer((T.int64(6), T.int64(40)), "float32")):
        for i, k, j in T.grid(T.int64(6), T.int64(19), T.int64(40)):
            with T.sblock("product"):
                v_i, v_k, v_j = T.axis.remap("SRS", [i, k, j])
                with T.init():
                    y[v_i, v_j] = T.float32(0)
                y[v_i, v_j] = y[v_i, v_j] + x[v_i, v_k] * T.Cast("float32", w[v_k, v_j])
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def product(x: T.Buffer((T.int64(6), T.int64(19)), "float32"), w: T.Buffer((T.int64(19), T.int64(40)), "float16"), y: T.Buffer((T.int64(6), T.int64(40)), "float32")):
#         T.func_attr({"tirx.is_scheduled": True})
#         for i in range(T.int64(6)):
#             for jj in T.vectorized(T.int64(40)):
#                 y[i, jj] = T.float32(0.0)
#         for ko in range(T.int64(2)):
#             for ii in T.vectorized(T.int64(40)):
#                 for r in T.unroll(T.int64(4)):
#                     y[r, ii] = T.fma(x[r, ko * T.int64(8) + T.int64(7)], T.Cast("float32", w[ko * T.int64(8) + T.int64(7), ii]), T.fma(x[r, ko * T.int64(8) + T.int64(6)], T.Cast("float32", w[ko * T.int64(8) + T.int64(6), ii]), T.fma(x[r, ko * T.int64(8) + T.int64(5)], T.Cast("float32", w[ko * T.int64(8) + T.int64(5), ii]), T.fma(x[r, ko * T.int64(8) + T.int64(4)], T.Cast("float32", w[ko * T.int64(8) + T.int64(4), ii]), T.fma(x[r, ko * T.int64(8) + T.int64(3)], T.Cast("float32", w[ko * T.int64(8) + T.int64(3), ii]), T.fma(x[r, ko * T.int64(8) + T.int64(2)], T.Cast("float32", w[ko * T.int64(8) + T.int64(2), ii]), T.fma(x[r, ko * T.int64(8) + T.int64(1)], T.Cast("float32", w[ko * T.int64(8) + T.int64(1), ii]), T.fma(x[r, ko * T.int64(8)], T.Cast("float32", w[ko * T.int64(8), ii]), y[r, ii]))))))))
#             for ii in T.vectorized(T.int64(40)):
#                 for r in T.unroll(T.int64(2)):
#                     y[r + T.int64(4), ii] = T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(7)], T.Cast("float32", w[ko * T.int64(8) + T.int64(7), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(6)], T.Cast("float32", w[ko * T.int64(8) + T.int64(6), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(5)], T.Cast("float32", w[ko * T.int64(8) + T.int64(5), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(4)], T.Cast("float32", w[ko * T.int64(8) + T.int64(4), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(3)], T.Cast("float32", w[ko * T.int64(8) + T.int64(3), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(2)], T.Cast("float32", w[ko * T.int64(8) + T.int64(2), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8) + T.int64(1)], T.Cast("float32", w[ko * T.int64(8) + T.int64(1), ii]), T.fma(x[r + T.int64(4), ko * T.int64(8)], T.Cast("float32", w[ko * T.int64(8), ii]), y[r + T.int64(4), ii]))))))))
#         for ii in T.vectorized(T.int64(40)):
#             for r in T.unroll(T.int64(4)):
#                 y[r, ii] = T.fma(x[r, T.int64(18)], T.Cast("float32", w[T.int64(18), ii]), T.fma(x[r, T.int64(17)], T.Cast("float32", w[T.int64(17), ii]), T.fma(x[r, T.int64(16)], T.Cast("float32", w[T.int64(16), ii]), y[r, ii])))
#         for ii in T.vectorized(T.int64(40)):
#             for r in T.unroll(T.int64(2)):
#                 y[r + T.int64(4), ii] = T.fma(x[r + T.int64(4), T.int64(18)], T.Cast("float32", w[T.int64(18), ii]), T.fma(x[r + T.int64(4), T.int64(17)], T.Cast("float32", w[T.int64(17), ii]), T.fma(x[r + T.int64(4), T.int64(16)], T.Cast("float32", w[T.int64(16), ii]), y[r + T.int64(4), ii])))
