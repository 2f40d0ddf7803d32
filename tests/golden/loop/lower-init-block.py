# RUN: opt -p LowerInitBlock --verify-each --roundtrip-each --check-each
# T.init() becomes an `if`; without a reduction axis it always runs.  A block without init stays.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def rows(A: T.Buffer((8, 4, 3), "float32"), B: T.Buffer((8,), "float32")):
        for i, k, l in T.grid(8, 4, 3):
            with T.sblock("sum"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(4, k)
                vl = T.axis.reduce(3, l)
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk, vl]

    @T.prim_func
    def always(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("sum"):
                vi = T.axis.spatial(8, i)
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi]

    @T.prim_func
    def nothing(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("copy"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[vi]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def always(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
#         # with T.sblock("root"):
#         for i in range(8):
#             with T.sblock("sum"):
#                 vi = T.axis.spatial(8, i)
#                 T.reads(B[vi], A[vi])
#                 T.writes(B[vi])
#                 B[vi] = T.float32(0.0)
#                 B[vi] = B[vi] + A[vi]
#
#     @T.prim_func(s_tir=True)
#     def nothing(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
#         # with T.sblock("root"):
#         for i in range(8):
#             with T.sblock("copy"):
#                 vi = T.axis.spatial(8, i)
#                 T.reads(A[vi])
#                 T.writes(B[vi])
#                 B[vi] = A[vi]
#
#     @T.prim_func(s_tir=True)
#     def rows(A: T.Buffer((8, 4, 3), "float32"), B: T.Buffer((8,), "float32")):
#         # with T.sblock("root"):
#         for i, k, l in T.grid(8, 4, 3):
#             with T.sblock("sum"):
#                 vi, vk, vl = T.axis.remap("SRR", [i, k, l])
#                 T.reads(B[vi], A[vi, vk, vl])
#                 T.writes(B[vi])
#                 if vk == 0 and vl == 0:
#                     B[vi] = T.float32(0.0)
#                 B[vi] = B[vi] + A[vi, vk, vl]
