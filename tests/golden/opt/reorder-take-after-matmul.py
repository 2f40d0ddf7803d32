# RUN: opt -p ReorderTakeAfterMatmul
# Columns of weights, also of batches of them, and below a vector; rows and tables are left alone.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("b", 16), "float32"), w: R.Tensor((16, "t"), "float32"), i: R.Tensor((8,), "int64"),
             v: R.Tensor((16,), "float32"), table: R.Tensor(("t", 16, 4), "float32"), j: R.Tensor(("b",), "int64")):
        a = R.take(w, i, axis=1)
        y = R.matmul(x, a)
        b = R.take(w, i, axis=-1, mode="clip")
        z = R.matmul(v, b)
        c = R.take(table, j, axis=0)
        d = R.expand_dims(x, 1)
        u = R.matmul(d, c)
        return (y, z, u)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# b = TypeVar("b")
# t = TypeVar("t")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((b, 16), dtype="float32"), w: R.Tensor((16, t), dtype="float32"), i: R.Tensor((8,), dtype="int64"), v: R.Tensor((16,), dtype="float32"), table: R.Tensor((t, 16, 4), dtype="float32"), j: R.Tensor((b,), dtype="int64")) -> R.Tuple(R.Tensor((b, 8), dtype="float32"), R.Tensor((8,), dtype="float32"), R.Tensor((b, 1, 4), dtype="float32")):
#         gv: R.Tensor((b, t), dtype="float32") = R.matmul(x, w, out_dtype=None)
#         y: R.Tensor((b, 8), dtype="float32") = R.take(gv, i, axis=1, mode="fast")
#         gv1: R.Tensor((t,), dtype="float32") = R.matmul(v, w, out_dtype=None)
#         z: R.Tensor((8,), dtype="float32") = R.take(gv1, i, axis=0, mode="clip")
#         c: R.Tensor((b, 16, 4), dtype="float32") = R.take(table, j, axis=0, mode="fast")
#         d: R.Tensor((b, 1, 16), dtype="float32") = R.expand_dims(x, axis=[1])
#         u: R.Tensor((b, 1, 4), dtype="float32") = R.matmul(d, c, out_dtype=None)
#         return (y, z, u)
