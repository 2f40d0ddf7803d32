# RUN: opt -p RemoveUnusedParameters
# Tensors, scalars and shapes that are not read go; symbols that are needed come as shapes; donated positions follow.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(x: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            x[i] = x[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("m", "n"), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        m, n = T.int64(), T.int64()
        a = cls.shape_only(y, x)
        b = cls.known_twice(x, R.prim_value(m), R.shape([m, n]))
        c = cls.second(x, y)
        d = cls.countdown(y, x, R.const(3, "int64"))
        return (a, b, c, d)

    @R.function(private=True)
    def shape_only(z: R.Tensor((4,), "float32"), x: R.Tensor(("p", "q"), "float32")) -> R.Tensor(("q", "p"), "float32"):
        p, q = T.int64(), T.int64()
        y = R.zeros(R.shape([q, p]), "float32")
        return y

    @R.function(private=True)
    def known_twice(x: R.Tensor(("s", "t"), "float32"), k: T.int64, shape: R.Shape(["s", "t"])) -> R.Tensor(("s", "t"), "float32"):
        s, t = T.int64(), T.int64()
        ones = R.ones(R.shape([s, t]), "float32")
        y = R.add(x, ones)
        return y

    @R.function(private=True)
    def second(x: R.Tensor(ndim=2, dtype="float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 1, "num_input": 1})
        cls = Module
        z = R.call_tir_inplace(cls.double, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return z

    @R.function(private=True)
    def countdown(y: R.Tensor((4,), "float32"), handed_on: R.Tensor(("u", "v"), "float32"), i: R.Tensor((), "int64")) -> R.Tensor((4,), "float32"):
        cls = Module
        go_on = R.greater(i, R.const(0, "int64"))
        if go_on:
            less = R.subtract(i, R.const(1, "int64"))
            r = cls.countdown(y, handed_on, less)
        else:
            r = y
        return r
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# s = TypeVar("s")
# t = TypeVar("t")
# p = TypeVar("p")
# q = TypeVar("q")
# m = TypeVar("m")
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def double(x: T.Buffer((T.int64(4),), "float32")):
#         for i in range(T.int64(4)):
#             x[i] = x[i] * T.float32(2.0)
#
#     @R.function(private=True)
#     def countdown(y: R.Tensor((4,), dtype="float32"), i: R.Tensor((), dtype="int64")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         go_on: R.Tensor((), dtype="bool") = R.greater(i, R.const(0, "int64"))
#         if go_on:
#             less: R.Tensor((), dtype="int64") = R.subtract(i, R.const(1, "int64"))
#             r: R.Tensor((4,), dtype="float32") = cls.countdown(y, less)
#         else:
#             r: R.Tensor((4,), dtype="float32") = y
#         return r
#
#     @R.function(private=True)
#     def known_twice(x: R.Tensor((s, t), dtype="float32")) -> R.Tensor((s, t), dtype="float32"):
#         ones: R.Tensor((s, t), dtype="float32") = R.ones(R.shape([s, t]), dtype="float32")
#         y: R.Tensor((s, t), dtype="float32") = R.add(x, ones)
#         return y
#
#     @R.function(private=True)
#     def second(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"num_input": 0, "relax.inplace_arg": [0]})
#         cls = Module
#         z: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.double, (y,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return z
#
#     @R.function(private=True)
#     def shape_only(param_p: R.Shape([p]), param_q: R.Shape([q])) -> R.Tensor((q, p), dtype="float32"):
#         y: R.Tensor((q, p), dtype="float32") = R.zeros(R.shape([q, p]), dtype="float32")
#         return y
#
#     @R.function
#     def main(x: R.Tensor((m, n), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((n, m), dtype="float32"), R.Tensor((m, n), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         a: R.Tensor((n, m), dtype="float32") = cls.shape_only(R.shape([m]), R.shape([n]))
#         b: R.Tensor((m, n), dtype="float32") = cls.known_twice(x)
#         c: R.Tensor((4,), dtype="float32") = cls.second(y)
#         d: R.Tensor((4,), dtype="float32") = cls.countdown(y, R.const(3, "int64"))
#         return (a, b, c, d)
