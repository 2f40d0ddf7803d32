# RUN: opt -p CombineParallelMatmul
# Any function of one element alone goes with the products, if it is the same and has no attributes.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 8), "float32"), a: R.Tensor((8, 3), "float32"), b: R.Tensor((8, 4), "float32"), c: R.Tensor((4, 5), "float32")):
        with R.dataflow():
            p = R.isnan(R.matmul(x, a))
            q = R.isnan(R.matmul(x, b))
            y = R.astype(q, "float32")
            u = R.nn.leakyrelu(R.matmul(y, c), alpha=0.5)
            v = R.nn.leakyrelu(R.matmul(y, c), alpha=0.25)
            R.output(p, q, u, v)
        return (p, q, u, v)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((2, 8), dtype="float32"), a: R.Tensor((8, 3), dtype="float32"), b: R.Tensor((8, 4), dtype="float32"), c: R.Tensor((4, 5), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="bool"), R.Tensor((2, 4), dtype="bool"), R.Tensor((2, 5), dtype="float32"), R.Tensor((2, 5), dtype="float32")):
#         with R.dataflow():
#             lv: R.Tensor((8, 7), dtype="float32") = R.concat((a, b), axis=1)
#             lv1: R.Tensor((2, 7), dtype="float32") = R.matmul(x, lv, out_dtype=None)
#             lv2: R.Tensor((2, 7), dtype="bool") = R.isnan(lv1)
#             lv3: R.Tuple(R.Tensor((2, 3), dtype="bool"), R.Tensor((2, 4), dtype="bool")) = R.split(lv2, indices_or_sections=[3], axis=1)
#             p: R.Tensor((2, 3), dtype="bool") = lv3[0]
#             q: R.Tensor((2, 4), dtype="bool") = lv3[1]
#             y: R.Tensor((2, 4), dtype="float32") = R.astype(q, dtype="float32")
#             lv4: R.Tensor((4, 10), dtype="float32") = R.concat((c, c), axis=1)
#             lv5: R.Tensor((2, 10), dtype="float32") = R.matmul(y, lv4, out_dtype=None)
#             lv6: R.Tuple(R.Tensor((2, 5), dtype="float32"), R.Tensor((2, 5), dtype="float32")) = R.split(lv5, indices_or_sections=[5], axis=1)
#             lv7: R.Tensor((2, 5), dtype="float32") = lv6[0]
#             lv8: R.Tensor((2, 5), dtype="float32") = lv6[1]
#             u: R.Tensor((2, 5), dtype="float32") = R.nn.leakyrelu(lv7, alpha=0.5)
#             v: R.Tensor((2, 5), dtype="float32") = R.nn.leakyrelu(lv8, alpha=0.25)
#             R.output(u, v, p, q)
#         return (p, q, u, v)
