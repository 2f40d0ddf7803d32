# RUN: opt -p DecomposeOpsForInference
# The default scale, a given one with a bias, a mask that is aligned with the last key.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((1, "s", 2, 16), "float32"), k: R.Tensor((1, "t", 2, 16), "float32"), v: R.Tensor((1, "t", 2, 8), "float32"), bias: R.Tensor((1, 2, "s", "t"), "float32")):
        with R.dataflow():
            a = R.nn.attention(q, k, v)
            b = R.nn.attention_bias(q, k, v, bias, scale=0.5, causal_mask="BottomRight")
            R.output(a, b)
        return (a, b)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# s = TypeVar("s")
# t = TypeVar("t")
# @I.ir_module
# class Module:
#     @R.function
#     def main(q: R.Tensor((1, s, 2, 16), dtype="float32"), k: R.Tensor((1, t, 2, 16), dtype="float32"), v: R.Tensor((1, t, 2, 8), dtype="float32"), bias: R.Tensor((1, 2, s, t), dtype="float32")) -> R.Tuple(R.Tensor((1, s, 2, 8), dtype="float32"), R.Tensor((1, s, 2, 8), dtype="float32")):
#         with R.dataflow():
#             lv: R.Tensor((1, 2, s, 16), dtype="float32") = R.permute_dims(q, axes=[0, 2, 1, 3])
#             lv1: R.Tensor((1, 2, 16, t), dtype="float32") = R.permute_dims(k, axes=[0, 2, 3, 1])
#             lv2: R.Tensor((1, 2, s, t), dtype="float32") = R.matmul(lv, lv1, out_dtype=None)
#             lv3: R.Tensor((1, 2, s, t), dtype="float32") = R.divide(lv2, R.const(4.0, "float32"))
#             lv4: R.Tensor((1, 2, s, t), dtype="float32") = R.nn.softmax(lv3, axis=-1)
#             lv5: R.Tensor((1, 2, t, 8), dtype="float32") = R.permute_dims(v, axes=[0, 2, 1, 3])
#             lv6: R.Tensor((1, 2, s, 8), dtype="float32") = R.matmul(lv4, lv5, out_dtype=None)
#             a: R.Tensor((1, s, 2, 8), dtype="float32") = R.permute_dims(lv6, axes=[0, 2, 1, 3])
#             lv7: R.Tensor((1, 2, s, 16), dtype="float32") = R.permute_dims(q, axes=[0, 2, 1, 3])
#             lv8: R.Tensor((1, 2, 16, t), dtype="float32") = R.permute_dims(k, axes=[0, 2, 3, 1])
#             lv9: R.Tensor((1, 2, s, t), dtype="float32") = R.matmul(lv7, lv8, out_dtype=None)
#             lv10: R.Tensor((1, 2, s, t), dtype="float32") = R.multiply(lv9, R.const(0.5, "float32"))
#             lv11: R.Tensor((1, 2, s, t), dtype="float32") = R.add(lv10, bias)
#             lv12: R.Tensor((s, t), dtype="float32") = R.ones(R.shape([s, t]), dtype="float32")
#             lv13: R.Tensor((s, t), dtype="float32") = R.tril(lv12, t - s)
#             lv14: R.Tensor((s, t), dtype="bool") = R.astype(lv13, dtype="bool")
#             lv15: R.Tensor((1, 2, s, t), dtype="float32") = R.where(lv14, lv11, R.const(float("-inf"), "float32"))
#             lv16: R.Tensor((1, 2, s, t), dtype="float32") = R.nn.softmax(lv15, axis=-1)
#             lv17: R.Tensor((1, 2, t, 8), dtype="float32") = R.permute_dims(v, axes=[0, 2, 1, 3])
#             lv18: R.Tensor((1, 2, s, 8), dtype="float32") = R.matmul(lv16, lv17, out_dtype=None)
#             b: R.Tensor((1, s, 2, 8), dtype="float32") = R.permute_dims(lv18, axes=[0, 2, 1, 3])
#             R.output(a, b)
#         return (a, b)
