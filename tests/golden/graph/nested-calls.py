# RUN: opt
# Nested calls become ops of their own, in the order of the text, with fresh names.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        z = R.add(R.multiply(x, y), R.exp(R.negative(x)))
        R.output(z)
    return R.nn.relu(z)
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
#     with R.dataflow():
#         lv: R.Tensor((2, 3), dtype="float32") = R.multiply(x, y)
#         lv1: R.Tensor((2, 3), dtype="float32") = R.negative(x)
#         lv2: R.Tensor((2, 3), dtype="float32") = R.exp(lv1)
#         z: R.Tensor((2, 3), dtype="float32") = R.add(lv, lv2)
#         R.output(z)
#     gv: R.Tensor((2, 3), dtype="float32") = R.nn.relu(z)
#     return gv
