# RUN: opt -p SimplifyGraph
# Left alone: what would change a sign of zero or a NaN, casts that lose something, dims that are not known.
# `e`, a permutation of nothing, is not.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), "float32"), u: R.Tensor(ndim=2, dtype="float32"), k: R.Tensor((3, 1), "float32")):
        a = R.add(x, R.const(0.0, "float32"))
        b = R.multiply(x, R.const(0.0, "float32"))
        d = R.permute_dims(u)
        e = R.permute_dims(k, (0, 1))
        f = R.astype(x, "float16")
        g = R.astype(f, "float32")
        h = R.add(x, x)
        return (a, b, d, e, g, h)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((1, 3), dtype="float32"), u: R.Tensor(dtype="float32", ndim=2), k: R.Tensor((3, 1), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor(dtype="float32", ndim=2), R.Tensor((3, 1), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
#         a: R.Tensor((1, 3), dtype="float32") = R.add(x, R.const(0.0, "float32"))
#         b: R.Tensor((1, 3), dtype="float32") = R.multiply(x, R.const(0.0, "float32"))
#         d: R.Tensor(dtype="float32", ndim=2) = R.permute_dims(u, axes=None)
#         f: R.Tensor((1, 3), dtype="float16") = R.astype(x, dtype="float16")
#         g: R.Tensor((1, 3), dtype="float32") = R.astype(f, dtype="float32")
#         h: R.Tensor((1, 3), dtype="float32") = R.add(x, x)
#         return (a, b, d, k, g, h)
