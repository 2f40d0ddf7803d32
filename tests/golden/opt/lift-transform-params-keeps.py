# RUN: opt -p LiftTransformParams
# Left alone: functions without num_input, called ones, with nothing to do but names; in `main` what depends on an input, its
# symbol, a branch, or is updated in place.
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
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool"), w: R.Tensor((4,), "float32")):
        R.func_attr({"num_input": 2})
        n = T.int64()
        cls = Module
        a = R.broadcast_to(R.reshape(R.sum(w), R.shape([1])), R.shape([n]))
        if c:
            b = R.exp(w)
        else:
            b = w
        y = R.exp(w)
        u = R.call_tir_inplace(cls.double, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (a, b, u)

    @R.function
    def plain(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        return R.exp(w)

    @R.function
    def called(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"num_input": 1})
        y = R.exp(w)
        return y

    @R.function
    def caller(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = cls.called(x, x)
        return y

    @R.function
    def names(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        R.func_attr({"num_input": 1})
        y = w
        z = R.reshape(y, R.shape([2, 2]))
        return z
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def double(x: T.Buffer((T.int64(4),), "float32")):
#         for i in range(T.int64(4)):
#             x[i] = x[i] * T.float32(2.0)
#
#     @R.function
#     def called(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"num_input": 1})
#         y: R.Tensor((4,), dtype="float32") = R.exp(w)
#         return y
#
#     @R.function
#     def caller(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = cls.called(x, x)
#         return y
#
#     @R.function
#     def main_transform_params(params: R.Tuple(R.Tensor((4,), dtype="float32"))) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((1,), dtype="float32")):
#         R.func_attr({"num_input": 0})
#         with R.dataflow():
#             w: R.Tensor((4,), dtype="float32") = params[0]
#             lv: R.Tensor((), dtype="float32") = R.sum(w, axis=None, keepdims=False)
#             gv: R.Tensor((1,), dtype="float32") = R.reshape(lv, R.shape([1]))
#             R.output(w, gv)
#         return (w, gv)
#
#     @R.function
#     def names(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
#         R.func_attr({"num_input": 1})
#         y: R.Tensor((4,), dtype="float32") = w
#         z: R.Tensor((2, 2), dtype="float32") = R.reshape(y, R.shape([2, 2]))
#         return z
#
#     @R.function
#     def plain(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         gv: R.Tensor((4,), dtype="float32") = R.exp(w)
#         return gv
#
#     @R.function
#     def main(x: R.Tensor((n,), dtype="float32"), c: R.Tensor((), dtype="bool"), w: R.Tensor((4,), dtype="float32"), lifted: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"num_input": 2})
#         cls = Module
#         a: R.Tensor((n,), dtype="float32") = R.broadcast_to(lifted, R.shape([n]))
#         if c:
#             b: R.Tensor((4,), dtype="float32") = R.exp(w)
#         else:
#             b: R.Tensor((4,), dtype="float32") = w
#         y: R.Tensor((4,), dtype="float32") = R.exp(w)
#         u: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.double, (y,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return (a, b, u)
