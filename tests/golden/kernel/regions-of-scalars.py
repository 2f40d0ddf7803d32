# RUN: opt
# A block without T.reads reads at indices that a scalar made inside gives: all of the buffer, not `a[p]`.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(m: T.Buffer((4,), "int32"), a: T.Buffer((8,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.sblock("copy"):
            v = T.axis.remap("S", [i])
            p: T.int32 = m[v]
            b[v] = a[p // 2]
    for i in range(4):
        with T.sblock("chain"):
            v = T.axis.remap("S", [i])
            c[v] = m[c[v]]
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func(s_tir=True)
# def main(m: T.Buffer((4,), "int32"), a: T.Buffer((8,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "int32")):
#     # with T.sblock("root"):
#     for i in range(4):
#         with T.sblock("copy"):
#             v = T.axis.spatial(4, i)
#             T.reads(m[v], a[0:8])
#             T.writes(b[v])
#             p: T.int32 = m[v]
#             b[v] = a[p // 2]
#     for i in range(4):
#         with T.sblock("chain"):
#             v = T.axis.spatial(4, i)
#             T.reads(m[0:4], c[v])
#             T.writes(c[v])
#             c[v] = m[c[v]]
