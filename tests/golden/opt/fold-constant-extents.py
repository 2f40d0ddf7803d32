# RUN: opt -p FoldConstant
# What a type says of its tensor: its size, rank and extents. An axis that is none, and extents that are symbols, wait for the run.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float16"), n: R.Tensor(("n", 4), "float32")):
        a = R.size(x)
        b = R.inspect.tensor_ndim(x)
        c = R.inspect.tensor_shape_i(x, 1)
        d = R.size(n)
        e = R.inspect.tensor_shape_i(n, 0)
        f = R.inspect.tensor_shape_i(x, 2)
        g = R.add(a, R.const(1, "int64"))
        return (a, b, c, d, e, f, g)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n_1 = TypeVar("n_1")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((2, 4), dtype="float16"), n: R.Tensor((n_1, 4), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="int64"), R.Prim("int32"), R.Prim("int64"), R.Tensor((), dtype="int64"), R.Prim("int64"), R.Prim("int64"), R.Tensor((), dtype="int64")):
#         d: R.Tensor((), dtype="int64") = R.size(n)
#         e: T.int64 = R.inspect.tensor_shape_i(n, 0)
#         f: T.int64 = R.inspect.tensor_shape_i(x, 2)
#         return (R.const(8, "int64"), T.int32(2), 4, d, e, f, R.const(9, "int64"))
