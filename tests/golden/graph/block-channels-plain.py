# RUN: plan -p BlockChannels(lanes=4),LegalizeOps,DeadCodeElimination,ToNonDataflow,ResolveInplace,CallTIRRewrite,KillAfterLastUse
# `square` is computed of `c_1`, which the division wants as it is, too (a normalisation over channels is like that): one image of 576 bytes
# is turned, not two. `other` has nobody else who wants its operand: it is computed on blocks, and turned.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 6, 6), "float32")):
        with R.dataflow():
            w = R.const([[[[-1.0]], [[0.0]], [[1.0]], [[2.0]]], [[[2.0]], [[3.0]], [[-1.0]], [[0.0]]], [[[0.0]], [[1.0]], [[2.0]], [[3.0]]], [[[3.0]], [[-1.0]], [[0.0]], [[1.0]]]], "float32")
            v = R.const([[[[-1.0]], [[0.0]], [[1.0]], [[2.0]]], [[[2.0]], [[3.0]], [[-1.0]], [[0.0]]], [[[0.0]], [[1.0]], [[2.0]], [[3.0]]], [[[3.0]], [[-1.0]], [[0.0]], [[1.0]]]], "float32")
            a = R.nn.conv2d(x, w)
            b = R.nn.relu(a)
            c = R.nn.conv2d(b, v)
            square = R.multiply(c, c)
            sums = R.sum(square, axis=[1], keepdims=True)
            other = R.nn.relu(b)
            y = R.divide(c, sums)
            R.output(y, other)
        return (y, other)
# OUT:
# main: 9 storages, 1872 bytes
#   bound 1872 bytes: no plan of these is lower
#   without reuse 4752 bytes
#   stack: 576 bytes at most
#   storage         steps             bytes         offset
#   a               [2, 6)            576           apart
#   b               [4, 20)           576           apart
#   c               [7, 11)           576           apart
#   permute_dims    [9, 27)           576           apart
#   square          [13, 17)          576           apart
#   sums            [15, 28)          144           apart
#   other           [18, 23)          576           apart
#   permute_dims_2  [21, 29)          576           apart  (result)
#   y               [25, 29)          576           apart  (result)
