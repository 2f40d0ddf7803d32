# RUN: opt -p AdjustMatmulOrder
# By the number of products, with symbols; weights that are known early are multiplied in advance whatever it takes; a
# symbol that may be large or small decides nothing.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def vector(a: R.Tensor(("n", 64), "float32"), b: R.Tensor((64, 64), "float32"), x: R.Tensor((64,), "float32")):
        c = R.matmul(a, b)
        y = R.matmul(c, x)
        return y

    @R.function
    def symbol(a: R.Tensor((4, 64), "float32"), b: R.Tensor((64, 32), "float32"), x: R.Tensor((32, "n"), "float32")):
        c = R.matmul(a, b)
        y = R.matmul(c, x)
        return y

    @R.function
    def batch(a: R.Tensor(("b", 16, 64), "float32"), w: R.Tensor((64, 64), "float32"), x: R.Tensor(("b", 64, 1), "float32")):
        c = R.matmul(w, x)
        d = R.matmul(a, w)
        y = R.matmul(d, x)
        return (c, y)

    @R.function
    def early(x: R.Tensor((1, 64), "float32"), a: R.Tensor((64, 64), "float32"), b: R.Tensor((64, 64), "float32")):
        R.func_attr({"num_input": 1})
        c = R.matmul(x, a)
        y = R.matmul(c, b)
        return y
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# b = TypeVar("b")
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def batch(a: R.Tensor((b, 16, 64), dtype="float32"), w: R.Tensor((64, 64), dtype="float32"), x: R.Tensor((b, 64, 1), dtype="float32")) -> R.Tuple(R.Tensor((b, 64, 1), dtype="float32"), R.Tensor((b, 16, 1), dtype="float32")):
#         c: R.Tensor((b, 64, 1), dtype="float32") = R.matmul(w, x, out_dtype=None)
#         gv: R.Tensor((b, 64, 1), dtype="float32") = R.matmul(w, x, out_dtype=None)
#         y: R.Tensor((b, 16, 1), dtype="float32") = R.matmul(a, gv, out_dtype=None)
#         return (c, y)
#
#     @R.function
#     def early(x: R.Tensor((1, 64), dtype="float32"), a: R.Tensor((64, 64), dtype="float32"), b: R.Tensor((64, 64), dtype="float32")) -> R.Tensor((1, 64), dtype="float32"):
#         R.func_attr({"num_input": 1})
#         gv: R.Tensor((64, 64), dtype="float32") = R.matmul(a, b, out_dtype=None)
#         y: R.Tensor((1, 64), dtype="float32") = R.matmul(x, gv, out_dtype=None)
#         return y
#
#     @R.function
#     def symbol(a: R.Tensor((4, 64), dtype="float32"), b: R.Tensor((64, 32), dtype="float32"), x: R.Tensor((32, n), dtype="float32")) -> R.Tensor((4, n), dtype="float32"):
#         c: R.Tensor((4, 32), dtype="float32") = R.matmul(a, b, out_dtype=None)
#         y: R.Tensor((4, n), dtype="float32") = R.matmul(c, x, out_dtype=None)
#         return y
#
#     @R.function
#     def vector(a: R.Tensor((n, 64), dtype="float32"), b: R.Tensor((64, 64), dtype="float32"), x: R.Tensor((64,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
#         gv: R.Tensor((64,), dtype="float32") = R.matmul(b, x, out_dtype=None)
#         y: R.Tensor((n,), dtype="float32") = R.matmul(a, gv, out_dtype=None)
#         return y
