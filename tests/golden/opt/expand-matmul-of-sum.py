# RUN: opt -p ExpandMatmulOfSum,AdjustMatmulOrder,DeadCodeElimination
# A low-rank adapter: x @ (w + a @ b) never makes a @ b.  With all three known early (num_input) the sum stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 256), "float32"), w: R.Tensor((256, 512), "float32"),
             a: R.Tensor((256, 8), "float32"), b: R.Tensor((8, 512), "float32")) -> R.Tensor((1, 512), "float32"):
        with R.dataflow():
            c = R.matmul(a, b)
            d = R.add(w, c)
            y = R.matmul(x, d)
            R.output(y)
        return y

    @R.function
    def early(x: R.Tensor((1, 256), "float32"), w: R.Tensor((256, 512), "float32"),
              a: R.Tensor((256, 8), "float32"), b: R.Tensor((8, 512), "float32")) -> R.Tensor((1, 512), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            c = R.matmul(a, b)
            d = R.add(w, c)
            y = R.matmul(x, d)
            R.output(y)
        return y
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def early(x: R.Tensor((1, 256), dtype="float32"), w: R.Tensor((256, 512), dtype="float32"), a: R.Tensor((256, 8), dtype="float32"), b: R.Tensor((8, 512), dtype="float32")) -> R.Tensor((1, 512), dtype="float32"):
#         R.func_attr({"num_input": 1})
#         with R.dataflow():
#             c: R.Tensor((256, 512), dtype="float32") = R.matmul(a, b, out_dtype=None)
#             d: R.Tensor((256, 512), dtype="float32") = R.add(w, c)
#             y: R.Tensor((1, 512), dtype="float32") = R.matmul(x, d, out_dtype=None)
#             R.output(y)
#         return y
#
#     @R.function
#     def main(x: R.Tensor((1, 256), dtype="float32"), w: R.Tensor((256, 512), dtype="float32"), a: R.Tensor((256, 8), dtype="float32"), b: R.Tensor((8, 512), dtype="float32")) -> R.Tensor((1, 512), dtype="float32"):
#         with R.dataflow():
#             lv: R.Tensor((1, 512), dtype="float32") = R.matmul(x, w, out_dtype=None)
#             lv1: R.Tensor((1, 8), dtype="float32") = R.matmul(x, a, out_dtype=None)
#             lv2: R.Tensor((1, 512), dtype="float32") = R.matmul(lv1, b, out_dtype=None)
#             y: R.Tensor((1, 512), dtype="float32") = R.add(lv, lv2)
#             R.output(y)
#         return y
