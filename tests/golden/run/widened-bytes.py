# RUN: run --check --no-cache --in x=ones --in y=ones --in f=ones
# What is not a product, or a convolution, of bytes though it looks like one: zero points that make a matrix of a row, also where
# they are 0; a zero point around the image whose bits astype takes for another number: 1 - 255 inside, 0 around; and weights that
# lose bits on the way to float16.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4), "int8"), y: R.Tensor((1, 1, 2, 2), "int8"), f: R.Tensor((1, 1), "float32")):
        w = R.const([[1], [2], [3], [4]], "int8")
        rows = R.matmul(R.subtract(R.astype(x, "int32"), R.const([[0], [1], [2]], "int32")), R.astype(w, "int32"))
        zeros = R.matmul(R.subtract(R.astype(x, "int32"), R.const([[0], [0]], "int32")), R.astype(w, "int32"))
        k = R.astype(R.const([[[[1, 1], [1, 1]], [[1, 1], [1, 1]]]], "int8"), "int32")
        image = R.concat((y, y), axis=1)
        z = R.astype(R.astype(R.const(-1, "int8"), "uint8"), "int32")
        around = R.nn.conv2d(R.subtract(R.astype(image, "int32"), z), k, padding=[1, 1])
        channels = R.nn.conv2d(R.subtract(R.astype(image, "int32"), R.const([[[[0]]], [[[0]]]], "int32")), k)
        small = R.astype(R.astype(R.multiply(f, R.const(1e-9, "float32")), "bfloat16"), "float16")
        lost = R.matmul(f, small, out_dtype="float32")
        return (rows, zeros, around, channels, lost)
# OUT:
# result.0: (3, 1) int32
# [[ 10]
#  [  0]
#  [-10]]
# result.1: (2, 1) int32
# [[10]
#  [10]]
# result.2: (1, 1, 3, 3) int32
# [[[[ -508 -1016  -508]
#    [-1016 -2032 -1016]
#    [ -508 -1016  -508]]]]
# result.3: (2, 1, 1, 1) int32
# [[[[8]]]
#  [[[8]]]]
# result.4: (1, 1) float32
# [[0.]]
