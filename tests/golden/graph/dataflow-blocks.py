# RUN: opt
# Blocks keep their order; an empty one leaves nothing; outer names come back after a block.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    with R.dataflow():
        pass
    with R.dataflow():
        y = R.add(y, x)
        z = R.add(y, y)
        R.output(z)
    w = R.multiply(y, z)
    return w
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#     y: R.Tensor((4,), dtype="float32") = R.exp(x)
#     with R.dataflow():
#         y_1: R.Tensor((4,), dtype="float32") = R.add(y, x)
#         z: R.Tensor((4,), dtype="float32") = R.add(y_1, y_1)
#         R.output(z)
#     w: R.Tensor((4,), dtype="float32") = R.multiply(y, z)
#     return w
