# RUN: opt
# A scalar parameter is a value, and a variable of the types behind it.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(n: T.int64, x: R.Tensor(("n", 4), "float32"), _k: R.Prim(value="k"), y: R.Tensor(("k",), "float32")):
    z = R.reshape(x, (n * 2, 2))
    m = n + 1
    p = R.prim_value(m * 2)
    return (z, y, p)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @R.function
# def main(n: T.int64, x: R.Tensor((n, 4), dtype="float32"), _k: T.int64, y: R.Tensor((_k,), dtype="float32")) -> R.Tuple(R.Tensor((n * 2, 2), dtype="float32"), R.Tensor((_k,), dtype="float32"), R.Prim("int64")):
#     z: R.Tensor((n * 2, 2), dtype="float32") = R.reshape(x, R.shape([n * 2, 2]))
#     m: T.int64 = n + 1
#     p: T.int64 = (n + 1) * 2
#     return (z, y, p)
