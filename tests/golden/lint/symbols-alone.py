# RUN: check
# A symbol of a kernel that stands once, beside one with the same letters but one; none of pairs that one letter tells apart.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def k(a: T.Buffer(("eddges", 4), "float32"), b: T.Buffer(("edges", 4), "float32"), s: T.Buffer(("edge",), "int32")):
        edges = T.int64()
        for i, j in T.grid(edges, 4):
            b[i, j] = a[i, j]

    @T.prim_func
    def pair(a: T.Buffer(("size_a",), "float32"), b: T.Buffer(("size_b",), "float32")):
        size_b = T.int64()
        for i in range(size_b):
            b[i] = a[0]
# OUT:
# warning[E0459]: `eddges` is the extent of nothing else, and `edges` is one that is
#  --> symbols-alone.py:9:25
#   |
# 9 |     def k(a: T.Buffer(("eddges", 4), "float32"), b: T.Buffer(("edges", 4), "float32"), s: T.Buffer(("edge",), "int32")):
#   |                         ^^^^^^
#   |
# help: there is `edges`
#   |
# 9 |     def k(a: T.Buffer(("eddges", 4), "float32"), b: T.Buffer(("edges", 4), "float32"), s: T.Buffer(("edge",), "int32")):
#   |                           -
#
# warning[E0459]: `edge` is the extent of nothing else, and `edges` is one that is
#  --> symbols-alone.py:9:102
#   |
# 9 |     def k(a: T.Buffer(("eddges", 4), "float32"), b: T.Buffer(("edges", 4), "float32"), s: T.Buffer(("edge",), "int32")):
#   |                                                                                                      ^^^^
#   |
# help: there is `edges`
#   |
# 9 |     def k(a: T.Buffer(("eddges", 4), "float32"), b: T.Buffer(("edges", 4), "float32"), s: T.Buffer(("edges",), "int32")):
#   |                                                                                                          +
#
