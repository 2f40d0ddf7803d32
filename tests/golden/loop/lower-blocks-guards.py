# RUN: opt -p LowerBlocks --verify-each --roundtrip-each --check-each
# Where init in front of the loops is not the same, it stays guarded; checks of rectangles are not lost.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    # the axis is at its start in two iterations
    @T.prim_func
    def twice(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
        for k in range(8):
            with T.sblock("sum"):
                vk = T.axis.reduce(4, k // 2)
                with T.init():
                    B[0] = T.float32(0)
                B[0] = B[0] + A[vk]

    # init of iteration j + 1 overwrites what the body of iteration j made
    @T.prim_func
    def shifted(A: T.Buffer((8, 16), "float32"), B: T.Buffer((17,), "float32")):
        for k, j in T.grid(8, 16):
            with T.sblock("sum"):
                vk, vj = T.axis.remap("RS", [k, j])
                with T.init():
                    B[vj] = T.float32(0)
                B[vj + 1] = B[vj] + A[vk, vj]

    # whether the block runs depends on the reduction loop
    @T.prim_func
    def odd(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
        for k in range(8):
            with T.sblock("sum"):
                T.where(k % 2 == 1)
                vk = T.axis.reduce(8, k)
                with T.init():
                    B[0] = T.float32(5)
                B[0] = B[0] + A[vk]

    # something else is in the loop
    @T.prim_func
    def imperfect(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((1,), "float32")):
        for k in range(8):
            with T.sblock("sum"):
                vk = T.axis.reduce(8, k)
                with T.init():
                    C[0] = T.float32(0)
                C[0] = C[0] + A[vk]
            with T.sblock("prefix"):
                vk = T.axis.opaque(8, k)
                B[vk] = C[0]

    # the axis starts at 2, the loop too
    @T.prim_func
    def later(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
        for k in range(2, 8):
            with T.sblock("sum"):
                vk = T.axis.reduce((2, 8), k)
                with T.init():
                    B[0] = T.float32(0)
                B[0] = B[0] + A[vk]

    # the axis starts at 0, the loop at 2: init never runs
    @T.prim_func
    def never(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
        for k in range(2, 8):
            with T.sblock("sum"):
                vk = T.axis.reduce(8, k)
                with T.init():
                    B[0] = T.float32(0)
                B[0] = B[0] + A[vk]

    # element 4 of R may exist in A and is an error all the same: this kernel stays as it is
    @T.prim_func
    def rectangle(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int64):
        for i in range(n):
            with T.sblock("copy"):
                v = T.axis.spatial(n, i)
                R = T.match_buffer(A[0:4], (4,), offset_factor=1)
                B[v] = R[v]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def imperfect(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((1,), "float32")):
#         for k in range(8):
#             if k == 0:
#                 C[0] = T.float32(0.0)
#             C[0] = C[0] + A[k]
#             B[k] = C[0]
#
#     @T.prim_func(s_tir=True)
#     def later(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
#         B[0] = T.float32(0.0)
#         for k in range(2, 8):
#             B[0] = B[0] + A[k]
#
#     @T.prim_func(s_tir=True)
#     def never(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
#         for k in range(2, 8):
#             if k == 0:
#                 B[0] = T.float32(0.0)
#             B[0] = B[0] + A[k]
#
#     @T.prim_func(s_tir=True)
#     def odd(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
#         for k in range(8):
#             if k % 2 == 1:
#                 if k == 0:
#                     B[0] = T.float32(5.0)
#                 B[0] = B[0] + A[k]
#
#     @T.prim_func(s_tir=True)
#     def rectangle(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int64):
#         # with T.sblock("root"):
#         for i in range(n):
#             with T.sblock("copy"):
#                 v = T.axis.spatial(n, i)
#                 T.reads(A[v])
#                 T.writes(B[v])
#                 R_1 = T.match_buffer(A[0:4], (4,), offset_factor=1)
#                 B[v] = R_1[v]
#
#     @T.prim_func(s_tir=True)
#     def shifted(A: T.Buffer((8, 16), "float32"), B: T.Buffer((17,), "float32")):
#         for k, j in T.grid(8, 16):
#             if k == 0:
#                 B[j] = T.float32(0.0)
#             B[j + 1] = B[j] + A[k, j]
#
#     @T.prim_func(s_tir=True)
#     def twice(A: T.Buffer((8,), "float32"), B: T.Buffer((1,), "float32")):
#         for k in range(8):
#             if k // 2 == 0:
#                 B[0] = T.float32(0.0)
#             B[0] = B[0] + A[k // 2]
