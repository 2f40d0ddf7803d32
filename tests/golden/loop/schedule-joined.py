# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,fma="on") --verify-each --check-each
# Threads share what does not divide well as two loops in one: rows of images first, then their channels, unless something is read for each channel; else three times seven. An even number of
# iterations, or many, stay.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 28, 32, 8), "float32"), g: R.Tensor((28, 32, 8), "float32"), s: R.Tensor((1, 4, 1, 1, 8), "float32"), few: R.Tensor((3, 7, 1000), "float32"), f: R.Tensor((7, 1), "float32"),
             even: R.Tensor((8, 7, 500), "float32"), many: R.Tensor((17, 7, 500), "float32")):
        with R.dataflow():
            a = R.multiply(x, g)
            e = R.multiply(x, s)
            b = R.multiply(few, f)
            c = R.multiply(even, f)
            d = R.multiply(many, f)
            r = (a, b, c, d, e)
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
#     def multiply(x1: T.Buffer((T.int64(1), T.int64(4), T.int64(28), T.int64(32), T.int64(8)), "float32"), x2: T.Buffer((T.int64(28), T.int64(32), T.int64(8)), "float32"), out: T.Buffer((T.int64(1), T.int64(4), T.int64(28), T.int64(32), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for both in T.parallel(T.int64(112)):
#             for ax3 in range(T.int64(32)):
#                 for ax4 in T.vectorized(T.int64(8)):
#                     out[T.int64(0), both % T.int64(4), both // T.int64(4), ax3, ax4] = x1[T.int64(0), both % T.int64(4), both // T.int64(4), ax3, ax4] * x2[both // T.int64(4), ax3, ax4]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_1(x1: T.Buffer((T.int64(1), T.int64(4), T.int64(28), T.int64(32), T.int64(8)), "float32"), x2: T.Buffer((T.int64(1), T.int64(4), T.int64(1), T.int64(1), T.int64(8)), "float32"), out: T.Buffer((T.int64(1), T.int64(4), T.int64(28), T.int64(32), T.int64(8)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for both in T.parallel(T.int64(112)):
#             for ax3 in range(T.int64(32)):
#                 for ax4 in T.vectorized(T.int64(8)):
#                     out[T.int64(0), both // T.int64(28), both % T.int64(28), ax3, ax4] = x1[T.int64(0), both // T.int64(28), both % T.int64(28), ax3, ax4] * x2[T.int64(0), both // T.int64(28), T.int64(0), T.int64(0), ax4]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_2(x1: T.Buffer((T.int64(3), T.int64(7), T.int64(1000)), "float32"), x2: T.Buffer((T.int64(7), T.int64(1)), "float32"), out: T.Buffer((T.int64(3), T.int64(7), T.int64(1000)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for both in T.parallel(T.int64(21)):
#             for ax2 in T.vectorized(T.int64(1000)):
#                 out[both // T.int64(7), both % T.int64(7), ax2] = x1[both // T.int64(7), both % T.int64(7), ax2] * x2[both % T.int64(7), T.int64(0)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_3(x1: T.Buffer((T.int64(8), T.int64(7), T.int64(500)), "float32"), x2: T.Buffer((T.int64(7), T.int64(1)), "float32"), out: T.Buffer((T.int64(8), T.int64(7), T.int64(500)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax0 in T.parallel(T.int64(8)):
#             for ax1 in range(T.int64(7)):
#                 for ax2 in T.vectorized(T.int64(500)):
#                     out[ax0, ax1, ax2] = x1[ax0, ax1, ax2] * x2[ax1, T.int64(0)]
#
#     @T.prim_func(private=True, s_tir=True)
#     def multiply_4(x1: T.Buffer((T.int64(17), T.int64(7), T.int64(500)), "float32"), x2: T.Buffer((T.int64(7), T.int64(1)), "float32"), out: T.Buffer((T.int64(17), T.int64(7), T.int64(500)), "float32")):
#         T.func_attr({"op_pattern": 0, "tirx.is_scheduled": True, "tirx.noalias": True})
#         for ax0 in T.parallel(T.int64(17)):
#             for ax1 in range(T.int64(7)):
#                 for ax2 in T.vectorized(T.int64(500)):
#                     out[ax0, ax1, ax2] = x1[ax0, ax1, ax2] * x2[ax1, T.int64(0)]
#
#     @R.function
#     def main(x: R.Tensor((1, 4, 28, 32, 8), dtype="float32"), g: R.Tensor((28, 32, 8), dtype="float32"), s: R.Tensor((1, 4, 1, 1, 8), dtype="float32"), few: R.Tensor((3, 7, 1000), dtype="float32"), f: R.Tensor((7, 1), dtype="float32"), even: R.Tensor((8, 7, 500), dtype="float32"), many: R.Tensor((17, 7, 500), dtype="float32")) -> R.Tuple(R.Tensor((1, 4, 28, 32, 8), dtype="float32"), R.Tensor((3, 7, 1000), dtype="float32"), R.Tensor((8, 7, 500), dtype="float32"), R.Tensor((17, 7, 500), dtype="float32"), R.Tensor((1, 4, 28, 32, 8), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.multiply, (x, g), out_ty=R.Tensor((1, 4, 28, 32, 8), dtype="float32"))
#             e = R.call_tir(cls.multiply_1, (x, s), out_ty=R.Tensor((1, 4, 28, 32, 8), dtype="float32"))
#             b = R.call_tir(cls.multiply_2, (few, f), out_ty=R.Tensor((3, 7, 1000), dtype="float32"))
#             c = R.call_tir(cls.multiply_3, (even, f), out_ty=R.Tensor((8, 7, 500), dtype="float32"))
#             d = R.call_tir(cls.multiply_4, (many, f), out_ty=R.Tensor((17, 7, 500), dtype="float32"))
#             r: R.Tuple(R.Tensor((1, 4, 28, 32, 8), dtype="float32"), R.Tensor((3, 7, 1000), dtype="float32"), R.Tensor((8, 7, 500), dtype="float32"), R.Tensor((17, 7, 500), dtype="float32"), R.Tensor((1, 4, 28, 32, 8), dtype="float32")) = a, b, c, d, e
#             R.output(r)
#         return r
