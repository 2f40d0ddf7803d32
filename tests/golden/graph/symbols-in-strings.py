# RUN: opt
# A name alone in a string of a parameter defines a symbol; compound strings use them.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(x: R.Tensor(("n * 2", "m"), dtype="float32"), s: R.Shape(["n", "k"])) -> R.Tensor(("m", "n * 2"), dtype="float32"):
    n = T.int64()
    m = T.int64()
    y: R.Tensor((m, n + n), "float32") = R.permute_dims(x, axes=[1, 0])
    return y
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor(("n * 2", "m"), dtype="float32"), s: R.Shape(["n", "k"])) -> R.Tensor(("m", "n * 2"), dtype="float32"):
#     n = T.int64()
#     m = T.int64()
#     k = T.int64()
#     y: R.Tensor((m, n * 2), dtype="float32") = R.permute_dims(x, axes=[1, 0])
#     return y
