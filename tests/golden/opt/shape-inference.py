# RUN: opt
# Types follow from the operands: symbols, broadcasting, unknown shapes of known rank.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1), dtype="float32"), y: R.Tensor((1, "m"), dtype="float32"), z: R.Tensor(ndim=2, dtype="float32")) -> R.Tensor(ndim=2, dtype="float32"):
        n = T.int64()
        m = T.int64()
        a = R.add(x, y)
        b = R.reshape(a, (n * m,))
        c = R.concat((b, b), axis=0)
        d = R.sum(a, axis=[1], keepdims=True)
        e = R.add(a, z)
        f = R.matmul(d, R.ones((1, 5), "float32"))
        return e
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
#     def main(x: R.Tensor((n, 1), dtype="float32"), y: R.Tensor((1, m), dtype="float32"), z: R.Tensor(dtype="float32", ndim=2)) -> R.Tensor(dtype="float32", ndim=2):
#         a: R.Tensor((n, m), dtype="float32") = R.add(x, y)
#         b: R.Tensor((m * n,), dtype="float32") = R.reshape(a, R.shape([n * m]))
#         c: R.Tensor((m * n * 2,), dtype="float32") = R.concat((b, b), axis=0)
#         d: R.Tensor((n, 1), dtype="float32") = R.sum(a, axis=[1], keepdims=True)
#         e: R.Tensor(dtype="float32", ndim=2) = R.add(a, z)
#         gv: R.Tensor((1, 5), dtype="float32") = R.ones(R.shape([1, 5]), dtype="float32")
#         f: R.Tensor((n, 5), dtype="float32") = R.matmul(d, gv, out_dtype=None)
#         return e
