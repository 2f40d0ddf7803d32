# RUN: opt -p ReorderForPeak
# As it stands, `b` is held while `a` is added up: 1024 + 1024 + 64 bytes (of 64 each time).  Behind `c` it is 64 + 1024 + 64:
# no order holds less, since `d` needs `b` and itself beside `c`.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 16), "float32")) -> R.Tensor((), "float32"):
        with R.dataflow():
            a = R.exp(x)
            b = R.log(x)
            c = R.sum(a)
            d = R.sum(b)
            e = R.add(c, d)
            R.output(e)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((), dtype="float32"):
#         with R.dataflow():
#             a: R.Tensor((16, 16), dtype="float32") = R.exp(x)
#             c: R.Tensor((), dtype="float32") = R.sum(a, axis=None, keepdims=False)
#             b: R.Tensor((16, 16), dtype="float32") = R.log(x)
#             d: R.Tensor((), dtype="float32") = R.sum(b, axis=None, keepdims=False)
#             e: R.Tensor((), dtype="float32") = R.add(c, d)
#             R.output(e)
#         return e
