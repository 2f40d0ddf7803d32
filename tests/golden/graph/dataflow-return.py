# RUN: opt
# A return inside a dataflow block makes what it returns an output of the block.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.exp(a)
        return (b, x)
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#     with R.dataflow():
#         a: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         b: R.Tensor((4,), dtype="float32") = R.exp(a)
#         R.output(b)
#     return (b, x)
