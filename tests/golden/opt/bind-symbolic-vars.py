# RUN: opt -p 'BindSymbolicVars(dims="n=4, k=2")' --check-each
# Types, shapes, scalars of kernels, attributes, nested functions, results; m stays, and so does `n` that
# the match_cast of another function binds.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(var_x: T.handle, n: T.int64, y: T.Buffer((), "float32")):
        m = T.int64()
        x = T.match_buffer(var_x, (m,), "float32")
        y[()] = T.Cast("float32", n)

    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n * k", "k"), "float32"), s: R.Shape(["k", "m"])) -> R.Tensor(("n", "m + k"), "float32"):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            z = R.zeros(R.shape([n, m + k]), "float32")
            r = R.reshape(y, R.shape([k * n * k]))
            q = R.call_tir(Module.kernel, (r, n), out_ty=R.Tensor((), "float32"))
            R.output(z, q)

        @R.function
        def nested(a: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            b = R.ones(R.shape([n]), "float32")
            c = R.add(a, b)
            return c

        return z

    @R.function
    def other(x: R.Tensor(ndim=1, dtype="float32")):
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n,), "float32"))
        return y
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def kernel(x: T.Buffer((m,), "float32"), n: T.int64, y: T.Buffer((), "float32")):
#         y[()] = T.Cast("float32", n)
#
#     @R.function
#     def other(x: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
#         n = T.int64()
#         y: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
#         return y
#
#     @R.function
#     def main(x: R.Tensor((4, m), dtype="float32"), y: R.Tensor((8, 2), dtype="float32"), s: R.Shape([2, m])) -> R.Tensor((4, "m + 2"), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             z: R.Tensor((4, m + 2), dtype="float32") = R.zeros(R.shape([4, m + 2]), dtype="float32")
#             r: R.Tensor((16,), dtype="float32") = R.reshape(y, R.shape([16]))
#             q = R.call_tir(cls.kernel, (r, 4), out_ty=R.Tensor((), dtype="float32"))
#             R.output(z, q)
#         @R.function
#         def nested(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#             b: R.Tensor((4,), dtype="float32") = R.ones(R.shape([4]), dtype="float32")
#             c: R.Tensor((4,), dtype="float32") = R.add(a, b)
#             return c
#
#         return z
