# RUN: opt
# Operators stand for library calls; bare numbers take the dtype of the other operand.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), i: R.Tensor((2, 3), "int32")):
    a = x + 1
    b = 2 * a - x / 4.0
    c = -b ** 2
    d = i // 2 % 3
    e = 0 < c
    f = i >= 7
    g = R.add(d, 5)
    return (e, f, g, x.astype("float16"))
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((2, 3), dtype="float32"), i: R.Tensor((2, 3), dtype="int32")) -> R.Tuple(R.Tensor((2, 3), dtype="bool"), R.Tensor((2, 3), dtype="bool"), R.Tensor((2, 3), dtype="int32"), R.Tensor((2, 3), dtype="float16")):
#     a: R.Tensor((2, 3), dtype="float32") = R.add(x, R.const(1.0, "float32"))
#     gv: R.Tensor((2, 3), dtype="float32") = R.multiply(R.const(2.0, "float32"), a)
#     gv1: R.Tensor((2, 3), dtype="float32") = R.divide(x, R.const(4.0, "float32"))
#     b: R.Tensor((2, 3), dtype="float32") = R.subtract(gv, gv1)
#     gv2: R.Tensor((2, 3), dtype="float32") = R.power(b, R.const(2.0, "float32"))
#     c: R.Tensor((2, 3), dtype="float32") = R.negative(gv2)
#     gv3: R.Tensor((2, 3), dtype="int32") = R.floor_divide(i, R.const(2, "int32"))
#     d: R.Tensor((2, 3), dtype="int32") = R.mod(gv3, R.const(3, "int32"))
#     e: R.Tensor((2, 3), dtype="bool") = R.less(R.const(0.0, "float32"), c)
#     f: R.Tensor((2, 3), dtype="bool") = R.greater_equal(i, R.const(7, "int32"))
#     g: R.Tensor((2, 3), dtype="int32") = R.add(d, R.const(5, "int32"))
#     gv4: R.Tensor((2, 3), dtype="float16") = R.astype(x, dtype="float16")
#     return (e, f, g, gv4)
