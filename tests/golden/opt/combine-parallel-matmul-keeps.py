# RUN: opt -p CombineParallelMatmul
# Left alone: other left operands, ranks and dtypes of results; weights that depend on a product of the group; two widths
# that are symbols (the second of them).  A bias of width 1 is added behind the product.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32"), y: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32"), t: R.Tensor((2, 4, 4), "float32"), h: R.Tensor((4, 4), "float16"), o: R.Tensor((4, 4), "float16")):
        a = R.matmul(x, w)
        b = R.matmul(y, w)
        c = R.matmul(x, t)
        d = R.matmul(h, o)
        e = R.matmul(h, o, out_dtype="float32")
        f = R.matmul(y, b)
        return (a, c, d, e, f)

    @R.function
    def widths(x: R.Tensor((4, 4), "float32"), w0: R.Tensor((4, "n"), "float32"), w1: R.Tensor((4, "m"), "float32"), w2: R.Tensor((4, 4), "float32"), b: R.Tensor((1,), "float32"), b2: R.Tensor((4,), "float32")):
        a = R.matmul(x, w0)
        c = R.matmul(x, w1)
        d = R.matmul(x, w2)
        e = R.add(a, b)
        f = R.add(c, b)
        g = R.add(d, b2)
        return (e, f, g)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @R.function
#     def widths(x: R.Tensor((4, 4), dtype="float32"), w0: R.Tensor((4, n), dtype="float32"), w1: R.Tensor((4, m), dtype="float32"), w2: R.Tensor((4, 4), dtype="float32"), b: R.Tensor((1,), dtype="float32"), b2: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4, n), dtype="float32"), R.Tensor((4, m), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
#         gv: R.Tensor((4, n + 4), dtype="float32") = R.concat((w2, w0), axis=1)
#         gv1: R.Tensor((4, n + 4), dtype="float32") = R.matmul(x, gv, out_dtype=None)
#         gv2: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, n), dtype="float32")) = R.split(gv1, indices_or_sections=[4], axis=1)
#         d: R.Tensor((4, 4), dtype="float32") = gv2[0]
#         a: R.Tensor((4, n), dtype="float32") = gv2[1]
#         c: R.Tensor((4, m), dtype="float32") = R.matmul(x, w1, out_dtype=None)
#         e: R.Tensor((4, n), dtype="float32") = R.add(a, b)
#         f: R.Tensor((4, m), dtype="float32") = R.add(c, b)
#         g: R.Tensor((4, 4), dtype="float32") = R.add(d, b2)
#         return (e, f, g)
#
#     @R.function
#     def main(x: R.Tensor((4, 4), dtype="float32"), y: R.Tensor((4, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), t: R.Tensor((2, 4, 4), dtype="float32"), h: R.Tensor((4, 4), dtype="float16"), o: R.Tensor((4, 4), dtype="float16")) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((2, 4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float16"), R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
#         a: R.Tensor((4, 4), dtype="float32") = R.matmul(x, w, out_dtype=None)
#         b: R.Tensor((4, 4), dtype="float32") = R.matmul(y, w, out_dtype=None)
#         c: R.Tensor((2, 4, 4), dtype="float32") = R.matmul(x, t, out_dtype=None)
#         d: R.Tensor((4, 4), dtype="float16") = R.matmul(h, o, out_dtype=None)
#         e: R.Tensor((4, 4), dtype="float32") = R.matmul(h, o, out_dtype="float32")
#         f: R.Tensor((4, 4), dtype="float32") = R.matmul(y, b, out_dtype=None)
#         return (a, c, d, e, f)
