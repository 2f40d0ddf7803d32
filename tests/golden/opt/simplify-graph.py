# RUN: opt -p SimplifyGraph
# Chains across dataflow blocks, branches and nested functions; one rule opens the way for the next.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, "n"), "float32"), c: R.Tensor((), "bool")):
        with R.dataflow():
            h = R.exp(x)
            a = R.permute_dims(h, (0, 2, 1))
            R.output(a)
        with R.dataflow():
            b = R.permute_dims(a, (0, 2, 1))
            d = R.multiply(b, R.const(1.0, "float32"))
            e = R.negative(d)
            R.output(e)
        if c:
            f = R.negative(e)
            y = R.reshape(f, (6, -1))
        else:
            g = R.reshape(e, (3, -1))
            y = R.reshape(g, (6, -1))

        @R.function
        def inner(z: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
            w = R.divide(z, R.const(4.0, "float32"))
            return w

        return (y, a)
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
#     @R.function
#     def main(x: R.Tensor((2, 3, n), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((6, n), dtype="float32"), R.Tensor((2, n, 3), dtype="float32")):
#         with R.dataflow():
#             h: R.Tensor((2, 3, n), dtype="float32") = R.exp(x)
#             a: R.Tensor((2, n, 3), dtype="float32") = R.permute_dims(h, axes=[0, 2, 1])
#             R.output(a, h)
#         with R.dataflow():
#             e: R.Tensor((2, 3, n), dtype="float32") = R.negative(h)
#             R.output(e)
#         if c:
#             y: R.Tensor((6, n), dtype="float32") = R.reshape(h, R.shape([6, -1]))
#         else:
#             y: R.Tensor((6, n), dtype="float32") = R.reshape(e, R.shape([6, n]))
#         @R.function
#         def inner(z: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("m",), dtype="float32"):
#             m = T.int64()
#             w: R.Tensor((m,), dtype="float32") = R.multiply(z, R.const(0.25, "float32"))
#             return w
#
#         return (y, a)
