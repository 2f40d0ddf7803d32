# RUN: opt
# A name in use gets a number behind it; names of one branch are free again in the other.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool"), metadata: R.Tensor((4,), "float32")):
    x = R.exp(x)
    x = R.exp(R.exp(x))
    if c:
        t = R.negative(x)
        y = R.add(t, t)
    else:
        t = R.exp(x)
        t = R.add(t, metadata)
        y = (t, t)[0]
    with R.dataflow():
        lv = R.add(R.exp(y), R.exp(y))
        z = R.add(lv, x)
        R.output(z)
    return z
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool"), metadata_1: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#     x_1: R.Tensor((4,), dtype="float32") = R.exp(x)
#     gv: R.Tensor((4,), dtype="float32") = R.exp(x_1)
#     x_2: R.Tensor((4,), dtype="float32") = R.exp(gv)
#     if c:
#         t: R.Tensor((4,), dtype="float32") = R.negative(x_2)
#         y: R.Tensor((4,), dtype="float32") = R.add(t, t)
#     else:
#         t: R.Tensor((4,), dtype="float32") = R.exp(x_2)
#         y: R.Tensor((4,), dtype="float32") = R.add(t, metadata_1)
#     with R.dataflow():
#         lv: R.Tensor((4,), dtype="float32") = R.exp(y)
#         lv1: R.Tensor((4,), dtype="float32") = R.exp(y)
#         lv_1: R.Tensor((4,), dtype="float32") = R.add(lv, lv1)
#         z: R.Tensor((4,), dtype="float32") = R.add(lv_1, x_2)
#         R.output(z)
#     return z
