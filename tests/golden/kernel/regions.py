# RUN: opt
# Blocks that do not say what they read and write are completed; given regions stay as they are.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    C = T.sblock_alloc_buffer((16, 16), "float32", scope="local")
    for i, j in T.grid(16, 15):
        with T.sblock("C"):
            vi = T.axis.spatial(16, i)
            vj = T.axis.spatial((0, 15), j)
            T.where(i * 15 + j < 200)
            C[vi, vj] = A[vi, vj] + A[vi, vj + 1]
    for i in T.parallel(4, annotations={"key": "value"}):
        with T.sblock("B"):
            vi = T.axis.opaque(4, i)
            T.reads([C[vi * 4 : vi * 4 + 4, 0:16]])
            T.sblock_attr({"first": 1})
            T.sblock_attr({"second": [1, 2.5, "three", None, True]})
            D = T.match_buffer(C[vi * 4 : vi * 4 + 4, 0:16], (4, 16), strides=["s", 1], offset_factor=4)
            for x, y in T.grid(4, 16):
                B[vi * 4 + x, y] = D[x, y] + T.Cast("float32", D.strides[0] + D.elem_offset)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func(s_tir=True)
# def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
#     # with T.sblock("root"):
#     C = T.sblock_alloc_buffer((16, 16), scope="local")
#     for i, j in T.grid(16, 15):
#         with T.sblock("C"):
#             vi, vj = T.axis.remap("SS", [i, j])
#             T.where(i * 15 + j < 200)
#             T.reads(A[vi, vj:vj + 2])
#             T.writes(C[vi, vj])
#             C[vi, vj] = A[vi, vj] + A[vi, vj + 1]
#     for i in T.parallel(4, annotations={"key": "value"}):
#         with T.sblock("B"):
#             vi = T.axis.opaque(4, i)
#             T.reads(C[vi * 4:vi * 4 + 4, 0:16])
#             T.writes(B[vi * 4:vi * 4 + 4, 0:16])
#             T.sblock_attr({"first": 1, "second": [1, 2.5, "three", None, True]})
#             D = T.match_buffer(C[vi * 4:vi * 4 + 4, 0:16], (4, 16), strides=("s", 1), offset_factor=4)
#             for x, y in T.grid(4, 16):
#                 B[vi * 4 + x, y] = D[x, y] + T.Cast("float32", D.strides[0] + D.elem_offset)
