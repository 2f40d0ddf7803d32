# RUN: opt
# Dimensions of a signature that use its symbols are quoted; the body declares each symbol once.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Anything:
    @T.prim_func(private=True, s_tir=True)
    def double(a: T.Buffer(("n", "m * 2"), "float32"), k: T.int32, b: T.Buffer(("n", "k", "m"), "float32")):
        n, m = T.int64(), T.int64()
        for i in range(n):
            with T.sblock("double"):
                vi = T.axis.spatial(n, i)
                b[vi, 0, 0] = a[vi, m] * T.float32(2)

    @R.function
    def main(
        x: R.Tensor(("n * 2", "n"), "float32"),
        s: R.Shape(["n", "m"]),
        k: T.int64,
        y: R.Tensor(("k", "n + m"), "float32"),
        z: R.Tensor("float32"),
        t: R.Tensor(s, "float32"),
    ) -> R.Tensor(("n", "k"), "float32"):
        n = T.int64()
        p, q = T.int64(), T.int64()
        R.func_attr({"num_input": 2})
        w = R.match_cast(z, R.Tensor((p, q), "float32"))
        v = R.reshape(w, (p * q,))
        u = R.zeros((n, k), "float32")
        return u
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def double(a: T.Buffer((n, "m * T.int64(2)"), "float32"), k: T.int32, b: T.Buffer((n, k, m), "float32")):
#         # with T.sblock("root"):
#         for i in range(n):
#             with T.sblock("double"):
#                 vi = T.axis.spatial(n, i)
#                 T.reads(a[vi, m])
#                 T.writes(b[vi, 0, 0])
#                 b[vi, 0, 0] = a[vi, m] * T.float32(2.0)
#
#     @R.function
#     def main(x: R.Tensor(("n * 2", n), dtype="float32"), s: R.Shape([n, m]), k: T.int64, y: R.Tensor((k, "m + n"), dtype="float32"), z: R.Tensor(dtype="float32"), t: R.Tensor(s, dtype="float32")) -> R.Tensor((n, k), dtype="float32"):
#         R.func_attr({"num_input": 2})
#         p = T.int64()
#         q = T.int64()
#         w: R.Tensor((p, q), dtype="float32") = R.match_cast(z, R.Tensor((p, q), dtype="float32"))
#         v: R.Tensor((p * q,), dtype="float32") = R.reshape(w, R.shape([p * q]))
#         u: R.Tensor((n, k), dtype="float32") = R.zeros(R.shape([n, k]), dtype="float32")
#         return u
