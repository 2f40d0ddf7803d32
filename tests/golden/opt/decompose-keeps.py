# RUN: opt -p 'DecomposeOpsForInference(function=main)'
# Left alone: an unknown rank, channels that are a symbol, heads that are shared, other functions than the one that is named.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(u: R.Tensor(dtype="float32"), x: R.Tensor((2, "c", 3), "float32"), p: R.Tensor(("c",), "float32"),
             q: R.Tensor((1, 4, 8, 16), "float32"), k: R.Tensor((1, 4, 2, 16), "float32")):
        a = R.nn.batch_norm(u, p, p, p, p, axis=1)
        b = R.nn.group_norm(x, p, p, num_groups=2, channel_axis=1, axes=[2])
        c = R.nn.attention(q, k, k)
        d = R.nn.attention(q, q, q, window_size=2)
        return (a, b, c, d)

    @R.function
    def other(x: R.Tensor((2, 3), "float32")):
        t = R.nn.dropout(x)
        return t
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# c = TypeVar("c")
# @I.ir_module
# class Module:
#     @R.function
#     def other(x: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
#         t: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = R.nn.dropout(x, rate=0.5)
#         return t
#
#     @R.function
#     def main(u: R.Tensor(dtype="float32"), x: R.Tensor((2, c, 3), dtype="float32"), p: R.Tensor((c,), dtype="float32"), q: R.Tensor((1, 4, 8, 16), dtype="float32"), k: R.Tensor((1, 4, 2, 16), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor(dtype="float32"), R.Tensor((c,), dtype="float32"), R.Tensor((c,), dtype="float32")), R.Tensor((2, c, 3), dtype="float32"), R.Tensor((1, 4, 8, 16), dtype="float32"), R.Tensor((1, 4, 8, 16), dtype="float32")):
#         a: R.Tuple(R.Tensor(dtype="float32"), R.Tensor((c,), dtype="float32"), R.Tensor((c,), dtype="float32")) = R.nn.batch_norm(u, p, p, p, p, axis=1, epsilon=1.0000000000000001e-05, center=True, scale=True, momentum=0.10000000000000001, training=True)
#         b: R.Tensor((2, c, 3), dtype="float32") = R.nn.group_norm(x, p, p, num_groups=2, channel_axis=1, axes=[2], epsilon=1.0000000000000001e-05, center=True, scale=True)
#         c_1: R.Tensor((1, 4, 8, 16), dtype="float32") = R.nn.attention(q, k, k, scale=None, causal_mask=None, window_size=None)
#         d: R.Tensor((1, 4, 8, 16), dtype="float32") = R.nn.attention(q, q, q, scale=None, causal_mask=None, window_size=2)
#         return (a, b, c_1, d)
