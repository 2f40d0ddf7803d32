# RUN: opt -p DecomposeOpsForInference
# batch_norm by its moving statistics, also as a whole tuple and without scale; dropout; group_norm; a linear layer with
# and without bias; a shape that a tensor holds.  layer_norm has a kernel of its own and stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4, 2, 2), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32"),
             mean: R.Tensor((4,), "float32"), var: R.Tensor((4,), "float32")):
        with R.dataflow():
            t = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1)
            a = t[0]
            u = R.nn.batch_norm(x, gamma, beta, mean, var, axis=-3, scale=False, center=False)
            v = R.nn.dropout(a, rate=0.5)
            b = v[0]
            c = R.nn.group_norm(b, gamma, beta, num_groups=2, channel_axis=1, axes=[2, 3])
            d = R.nn.layer_norm(c, gamma, beta, axes=[1])
            R.output(u, d)
        return (u, d)

    @R.function
    def shapes(x: R.Tensor((6,), "float32"), s: R.Tensor((2,), "int64"), w: R.Tensor((5, 3), "float32"), b: R.Tensor((5,), "float32")):
        shape = R.tensor_to_shape(s)
        y = R.reshape(x, shape)
        z = R.exp(y)
        u = R.ones(R.shape([2, 3]), "float32")
        v = R.linear(u, w, b)
        t = R.linear(u, w, out_dtype="float32")
        return (z, v, t)
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
#     def shapes(x: R.Tensor((6,), dtype="float32"), s: R.Tensor((2,), dtype="int64"), w: R.Tensor((5, 3), dtype="float32"), b: R.Tensor((5,), dtype="float32")) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((2, 5), dtype="float32"), R.Tensor((2, 5), dtype="float32")):
#         dim0 = T.int64()
#         dim1 = T.int64()
#         shape: R.Shape(ndim=2) = R.tensor_to_shape(s)
#         gv: R.Shape([dim0, dim1]) = R.match_cast(shape, R.Shape([dim0, dim1]))
#         y: R.Tensor((dim0, dim1), dtype="float32") = R.reshape(x, R.shape([dim0, dim1]))
#         z: R.Tensor((dim0, dim1), dtype="float32") = R.exp(y)
#         u: R.Tensor((2, 3), dtype="float32") = R.ones(R.shape([2, 3]), dtype="float32")
#         gv1: R.Tensor((3, 5), dtype="float32") = R.permute_dims(w, axes=None)
#         gv2: R.Tensor((2, 5), dtype="float32") = R.matmul(u, gv1, out_dtype=None)
#         v: R.Tensor((2, 5), dtype="float32") = R.add(gv2, b)
#         gv3: R.Tensor((3, 5), dtype="float32") = R.permute_dims(w, axes=None)
#         t: R.Tensor((2, 5), dtype="float32") = R.matmul(u, gv3, out_dtype="float32")
#         return (z, v, t)
#
#     @R.function
#     def main(x: R.Tensor((n, 4, 2, 2), dtype="float32"), gamma: R.Tensor((4,), dtype="float32"), beta: R.Tensor((4,), dtype="float32"), mean: R.Tensor((4,), dtype="float32"), var: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((n, 4, 2, 2), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((n, 4, 2, 2), dtype="float32")):
#         with R.dataflow():
#             lv: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(mean, axis=[0, 2, 3])
#             lv1: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(var, axis=[0, 2, 3])
#             lv2: R.Tensor((n, 4, 2, 2), dtype="float32") = R.subtract(x, lv)
#             lv3: R.Tensor((1, 4, 1, 1), dtype="float32") = R.add(lv1, R.const(9.9999997473787516e-06, "float32"))
#             lv4: R.Tensor((1, 4, 1, 1), dtype="float32") = R.sqrt(lv3)
#             lv5: R.Tensor((n, 4, 2, 2), dtype="float32") = R.divide(lv2, lv4)
#             lv6: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(gamma, axis=[0, 2, 3])
#             lv7: R.Tensor((n, 4, 2, 2), dtype="float32") = R.multiply(lv5, lv6)
#             lv8: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(beta, axis=[0, 2, 3])
#             a: R.Tensor((n, 4, 2, 2), dtype="float32") = R.add(lv7, lv8)
#             lv9: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(mean, axis=[0, 2, 3])
#             lv10: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(var, axis=[0, 2, 3])
#             lv11: R.Tensor((n, 4, 2, 2), dtype="float32") = R.subtract(x, lv9)
#             lv12: R.Tensor((1, 4, 1, 1), dtype="float32") = R.add(lv10, R.const(9.9999997473787516e-06, "float32"))
#             lv13: R.Tensor((1, 4, 1, 1), dtype="float32") = R.sqrt(lv12)
#             lv14: R.Tensor((n, 4, 2, 2), dtype="float32") = R.divide(lv11, lv13)
#             u: R.Tuple(R.Tensor((n, 4, 2, 2), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = lv14, mean, var
#             lv15: R.Tensor((n, 4, 2, 2), dtype="float32") = R.ones_like(a, dtype=None)
#             lv16: R.Tensor((n, 2, 2, 2, 2), dtype="float32") = R.reshape(a, R.shape([n, 2, 2, 2, 2]))
#             lv17: R.Tensor((n, 2, 1, 1, 1), dtype="float32") = R.mean(lv16, axis=[2, 3, 4], keepdims=True)
#             lv18: R.Tensor((n, 2, 1, 1, 1), dtype="float32") = R.variance(lv16, axis=[2, 3, 4], keepdims=True)
#             lv19: R.Tensor((n, 2, 2, 2, 2), dtype="float32") = R.subtract(lv16, lv17)
#             lv20: R.Tensor((n, 2, 1, 1, 1), dtype="float32") = R.add(lv18, R.const(9.9999997473787516e-06, "float32"))
#             lv21: R.Tensor((n, 2, 1, 1, 1), dtype="float32") = R.sqrt(lv20)
#             lv22: R.Tensor((n, 2, 2, 2, 2), dtype="float32") = R.divide(lv19, lv21)
#             lv23: R.Tensor((n, 4, 2, 2), dtype="float32") = R.reshape(lv22, R.shape([n, 4, 2, 2]))
#             lv24: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(gamma, axis=[0, 2, 3])
#             lv25: R.Tensor((n, 4, 2, 2), dtype="float32") = R.multiply(lv23, lv24)
#             lv26: R.Tensor((1, 4, 1, 1), dtype="float32") = R.expand_dims(beta, axis=[0, 2, 3])
#             c: R.Tensor((n, 4, 2, 2), dtype="float32") = R.add(lv25, lv26)
#             d: R.Tensor((n, 4, 2, 2), dtype="float32") = R.nn.layer_norm(c, gamma, beta, axes=[1], epsilon=1.0000000000000001e-05, center=True, scale=True)
#             R.output(d, u)
#         return (u, d)
