# RUN: opt
# Dimensions that cannot be proved leave the rank; those that can are kept, whatever they look like.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), y: R.Tensor(("m",), dtype="float32"), z: R.Tensor(("k",), dtype="float32")):
        n = T.int64()
        m = T.int64()
        same = R.add(x, y)
        unknown = R.add(x, z)
        flat = R.flatten(x)
        again = R.reshape(flat, R.shape([n, m]))
        both = R.concat((y, z), axis=0)
        rows = R.take(x, R.const(1, "int64"), axis=0)
        part = R.strided_slice(x, (1,), (0,), (9223372036854775807,), (2,))
        return (same, unknown, again, both, rows, part)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# k = TypeVar("k")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((n, m), dtype="float32"), y: R.Tensor((m,), dtype="float32"), z: R.Tensor((k,), dtype="float32")) -> R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor(dtype="float32", ndim=2), R.Tensor((n, m), dtype="float32"), R.Tensor(("k + m",), dtype="float32"), R.Tensor((m,), dtype="float32"), R.Tensor((n, "(m + 1) // 2"), dtype="float32")):
#         same: R.Tensor((n, m), dtype="float32") = R.add(x, y)
#         unknown: R.Tensor(dtype="float32", ndim=2) = R.add(x, z)
#         flat: R.Tensor((m * n,), dtype="float32") = R.flatten(x)
#         again: R.Tensor((n, m), dtype="float32") = R.reshape(flat, R.shape([n, m]))
#         both: R.Tensor((k + m,), dtype="float32") = R.concat((y, z), axis=0)
#         rows: R.Tensor((m,), dtype="float32") = R.take(x, R.const(1, "int64"), axis=0, mode="fast")
#         part: R.Tensor((n, (m + 1) // 2), dtype="float32") = R.strided_slice(x, (1,), (0,), (9223372036854775807,), (2,), assume_inbound=False)
#         return (same, unknown, again, both, rows, part)
