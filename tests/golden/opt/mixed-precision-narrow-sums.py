# RUN: opt -p 'ToMixedPrecision(dtype=bfloat16, out_dtype=bfloat16)'
# Results of products are bfloat16 then, and widened where a softmax, a call or the caller reads them.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def twice(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        cls = Module
        a = R.matmul(x, x)
        s = R.nn.softmax(a)
        b = R.matmul(s, a)
        t = cls.twice(b)
        return (a, t)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(private=True)
#     def twice(x: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((4, 4), dtype="float32"):
#         gv: R.Tensor((4, 4), dtype="float32") = R.add(x, x)
#         return gv
#
#     @R.function
#     def main(x: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")):
#         cls = Module
#         gv: R.Tensor((4, 4), dtype="bfloat16") = R.astype(x, dtype="bfloat16")
#         a: R.Tensor((4, 4), dtype="bfloat16") = R.matmul(gv, gv, out_dtype="bfloat16")
#         gv1: R.Tensor((4, 4), dtype="float32") = R.astype(a, dtype="float32")
#         s: R.Tensor((4, 4), dtype="float32") = R.nn.softmax(gv1, axis=-1)
#         gv2: R.Tensor((4, 4), dtype="bfloat16") = R.astype(s, dtype="bfloat16")
#         b: R.Tensor((4, 4), dtype="bfloat16") = R.matmul(gv2, a, out_dtype="bfloat16")
#         gv3: R.Tensor((4, 4), dtype="float32") = R.astype(b, dtype="float32")
#         t: R.Tensor((4, 4), dtype="float32") = cls.twice(gv3)
#         return (gv1, t)
