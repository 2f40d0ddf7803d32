# RUN: opt -p LiftTransformParams
# Weights that are only transformed, one that is read as it is, too, a constant that goes along, a symbol that only the old
# weights define, a branch that reads what was lifted, an op that says stop.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("b", 4), "float32"), w: R.Tensor((4, 4), "float32"), v: R.Tensor(("n", "m"), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"num_input": 1})
        n, m = T.int64(), T.int64()
        with R.dataflow():
            two = R.full(R.shape([]), R.const(2.0, "float32"), "float32")
            w_t = R.permute_dims(w)
            w_2 = R.multiply(w_t, two)
            y = R.matmul(x, w_2)
            z = R.add(y, w)
            flat = R.reshape(v, R.shape([n * m]))
            more = R.exp(flat)
            stop = R.builtin.stop_lift_params(w)
            s = R.negative(stop)
            ones = R.ones(R.shape([n]), "float32")
            R.output(z, more, s, ones)
        if c:
            r = more
        else:
            r = R.negative(more)
        return (z, r, s, ones)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# m = TypeVar("m")
# b = TypeVar("b")
# @I.ir_module
# class Module:
#     @R.function
#     def main_transform_params(params: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((n, m), dtype="float32"), R.Tensor((), dtype="bool"))) -> R.Tuple(R.Shape([n, m]), R.Tensor((4, 4), dtype="float32"), R.Tensor((), dtype="bool"), R.Tensor((4, 4), dtype="float32"), R.Tensor(("m * n",), dtype="float32")):
#         R.func_attr({"num_input": 0})
#         with R.dataflow():
#             w: R.Tensor((4, 4), dtype="float32") = params[0]
#             v: R.Tensor((n, m), dtype="float32") = params[1]
#             c: R.Tensor((), dtype="bool") = params[2]
#             w_t: R.Tensor((4, 4), dtype="float32") = R.permute_dims(w, axes=None)
#             two: R.Tensor((), dtype="float32") = R.full(R.shape([]), R.const(2.0, "float32"), dtype="float32")
#             w_2: R.Tensor((4, 4), dtype="float32") = R.multiply(w_t, two)
#             flat: R.Tensor((m * n,), dtype="float32") = R.reshape(v, R.shape([n * m]))
#             more: R.Tensor((m * n,), dtype="float32") = R.exp(flat)
#             R.output(w, c, w_2, more)
#         return (R.shape([n, m]), w, c, w_2, more)
#
#     @R.function
#     def main(x: R.Tensor((b, 4), dtype="float32"), weight_dims: R.Shape([n, m]), w: R.Tensor((4, 4), dtype="float32"), c: R.Tensor((), dtype="bool"), w_2: R.Tensor((4, 4), dtype="float32"), more: R.Tensor(("m * n",), dtype="float32")) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(("m * n",), dtype="float32"), R.Tensor((4, 4), dtype="float32"), R.Tensor((n,), dtype="float32")):
#         R.func_attr({"num_input": 1})
#         with R.dataflow():
#             two: R.Tensor((), dtype="float32") = R.full(R.shape([]), R.const(2.0, "float32"), dtype="float32")
#             y: R.Tensor((b, 4), dtype="float32") = R.matmul(x, w_2, out_dtype=None)
#             z: R.Tensor(dtype="float32", ndim=2) = R.add(y, w)
#             s: R.Tensor((4, 4), dtype="float32") = R.negative(w)
#             ones: R.Tensor((n,), dtype="float32") = R.ones(R.shape([n]), dtype="float32")
#             R.output(z, s, ones)
#         if c:
#             r: R.Tensor((m * n,), dtype="float32") = more
#         else:
#             r: R.Tensor((m * n,), dtype="float32") = R.negative(more)
#         return (z, r, s, ones)
