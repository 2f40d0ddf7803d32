# RUN: opt
# Axes, regions, predicate, init, attributes, storage and matched regions of blocks.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,)), C: T.Buffer((T.int64(8), T.int64(8)), "float16")):
    T.func_attr({"tirx.noalias": True, "global_symbol": "main"})
    X = T.sblock_alloc_buffer((16, 16), "float32", scope="local")
    for i in T.serial(16):
        for j in range(16):
            with T.sblock("sum"):
                vi, vj = T.axis.remap("SR", [i, j])
                with T.init():
                    B[vi] = 0.0
                B[vi] = B[vi] + A[vi, vj] * A[vj, vi]
    for i0, i1, k in T.grid(4, 5, 3):
        with T.sblock("tile"):
            vi = T.axis.spatial(16, i0 * 5 + i1)
            vk = T.axis.R((1, 4), k + 1)
            vz = T.axis.spatial(3, k)
            T.where(i0 * 5 + i1 < 16)
            T.sblock_attr({"k": [1, 2]})
            Y = T.sblock_alloc_buffer((3,))
            Z = T.match_buffer(X[vi, 0:16], (16,), strides=("s",), offset_factor=1)
            for l in range(3):
                Z[l + vk] = A[vi, l] + Y[vz]
    for i, j in T.grid(T.int64(8), T.int64(8)):
        with T.sblock():
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads([])
            T.writes(C[vi, vj])
            C[vi, vj] = T.float16(1)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func(s_tir=True)
# def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((T.int64(8), T.int64(8)), "float16")):
#     T.func_attr({"tirx.noalias": True})
#     # with T.sblock("root"):
#     X = T.sblock_alloc_buffer((16, 16), scope="local")
#     for i, j in T.grid(16, 16):
#         with T.sblock("sum"):
#             vi, vj = T.axis.remap("SR", [i, j])
#             T.reads(A[T.min(vi, vj):T.min(vi, vj) + (T.max(vi, vj) - T.min(vi, vj) + 1), T.min(vi, vj):T.min(vi, vj) + (T.max(vi, vj) - T.min(vi, vj) + 1)])
#             T.writes(B[vi])
#             with T.init():
#                 B[vi] = T.float32(0.0)
#             B[vi] = B[vi] + A[vi, vj] * A[vj, vi]
#     for i0, i1, k in T.grid(4, 5, 3):
#         with T.sblock("tile"):
#             vi = T.axis.spatial(16, i0 * 5 + i1)
#             vk = T.axis.reduce((1, 4), k + 1)
#             vz = T.axis.spatial(3, k)
#             T.where(i0 * 5 + i1 < 16)
#             T.reads(A[vi, 0:3])
#             T.writes(X[vi, vk:vk + 3])
#             T.sblock_attr({"k": [1, 2]})
#             Y = T.sblock_alloc_buffer((3,))
#             Z = T.match_buffer(X[vi, 0:16], (16,), strides=("s",), offset_factor=1)
#             for l in range(3):
#                 Z[l + vk] = A[vi, l] + Y[vz]
#     for i, j in T.grid(T.int64(8), T.int64(8)):
#         with T.sblock(""):
#             vi, vj = T.axis.remap("SS", [i, j])
#             T.reads()
#             T.writes(C[vi, vj])
#             C[vi, vj] = T.float16(1.0)
