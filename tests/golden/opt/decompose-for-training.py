# RUN: opt -p DecomposeOpsForTraining
# The batch's own mean and variance, moving ones updated; layer_norm too; dropout stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32"),
             mean: R.Tensor((4,), "float32"), var: R.Tensor((4,), "float32")):
        with R.dataflow():
            t = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, momentum=0.25)
            a = t[0]
            b = t[1]
            c = t[2]
            d = R.nn.layer_norm(a, gamma, beta, axes=[-1])
            e = R.nn.dropout(d)
            R.output(b, c, e)
        return (b, c, e)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# n = TypeVar("n")
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((n, 4), dtype="float32"), gamma: R.Tensor((4,), dtype="float32"), beta: R.Tensor((4,), dtype="float32"), mean: R.Tensor((4,), dtype="float32"), var: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32"))):
#         with R.dataflow():
#             lv: R.Tensor((4,), dtype="float32") = R.mean(x, axis=[0], keepdims=False)
#             lv1: R.Tensor((4,), dtype="float32") = R.variance(x, axis=[0], keepdims=False)
#             lv2: R.Tensor((1, 4), dtype="float32") = R.expand_dims(lv, axis=[0])
#             lv3: R.Tensor((1, 4), dtype="float32") = R.expand_dims(lv1, axis=[0])
#             lv4: R.Tensor((n, 4), dtype="float32") = R.subtract(x, lv2)
#             lv5: R.Tensor((1, 4), dtype="float32") = R.add(lv3, R.const(9.9999997473787516e-06, "float32"))
#             lv6: R.Tensor((1, 4), dtype="float32") = R.sqrt(lv5)
#             lv7: R.Tensor((n, 4), dtype="float32") = R.divide(lv4, lv6)
#             lv8: R.Tensor((1, 4), dtype="float32") = R.expand_dims(gamma, axis=[0])
#             lv9: R.Tensor((n, 4), dtype="float32") = R.multiply(lv7, lv8)
#             lv10: R.Tensor((1, 4), dtype="float32") = R.expand_dims(beta, axis=[0])
#             a: R.Tensor((n, 4), dtype="float32") = R.add(lv9, lv10)
#             lv11: R.Tensor((4,), dtype="float32") = R.multiply(mean, R.const(0.75, "float32"))
#             lv12: R.Tensor((4,), dtype="float32") = R.multiply(lv, R.const(0.25, "float32"))
#             b: R.Tensor((4,), dtype="float32") = R.add(lv11, lv12)
#             lv13: R.Tensor((4,), dtype="float32") = R.multiply(var, R.const(0.75, "float32"))
#             lv14: R.Tensor((4,), dtype="float32") = R.multiply(lv1, R.const(0.25, "float32"))
#             c: R.Tensor((4,), dtype="float32") = R.add(lv13, lv14)
#             lv15: R.Tensor((n, 1), dtype="float32") = R.mean(a, axis=[-1], keepdims=True)
#             lv16: R.Tensor((n, 1), dtype="float32") = R.variance(a, axis=[-1], keepdims=True)
#             lv17: R.Tensor((n, 4), dtype="float32") = R.subtract(a, lv15)
#             lv18: R.Tensor((n, 1), dtype="float32") = R.add(lv16, R.const(9.9999997473787516e-06, "float32"))
#             lv19: R.Tensor((n, 1), dtype="float32") = R.sqrt(lv18)
#             lv20: R.Tensor((n, 4), dtype="float32") = R.divide(lv17, lv19)
#             lv21: R.Tensor((n, 4), dtype="float32") = R.multiply(lv20, gamma)
#             d: R.Tensor((n, 4), dtype="float32") = R.add(lv21, beta)
#             e: R.Tuple(R.Tensor((n, 4), dtype="float32"), R.Tensor((n, 4), dtype="float32")) = R.nn.dropout(d, rate=0.5)
#             R.output(e, c, b)
#         return (b, c, e)
