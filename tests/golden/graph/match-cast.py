# RUN: opt
# R.match_cast gives a value a finer type, and defines the symbols in it.
from tvm.script import relax as R
from tvm.script import tirx as T

@R.function
def main(x: R.Tensor(ndim=2, dtype="float32"), y: R.Any):
    n, m = T.int64(), T.int64()
    a = R.match_cast(x, R.Tensor((n, m), "float32"))
    b: R.Tensor((n * 2, 4), "float32") = R.match_cast(y, R.Tensor((n * 2, 4), "float32"))
    c = R.reshape(b, (n, 8))
    return (a, c)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor(dtype="float32", ndim=2), y: R.Any) -> R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor(dtype="float32", ndim=2)):
#     n = T.int64()
#     m = T.int64()
#     a: R.Tensor((n, m), dtype="float32") = R.match_cast(x, R.Tensor((n, m), dtype="float32"))
#     b: R.Tensor((n * 2, 4), dtype="float32") = R.match_cast(y, R.Tensor((n * 2, 4), dtype="float32"))
#     c: R.Tensor((n, 8), dtype="float32") = R.reshape(b, R.shape([n, 8]))
#     return (a, c)
