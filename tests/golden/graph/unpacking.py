# RUN: opt
# Tuples are unpacked by position; a tuple in the text is taken apart at once.
from tvm.script import relax as R

@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "int32"))):
    a, b = t
    c, d = b, a
    e = (a, (b, c))
    f = e[1]
    g = (a, b)[1]
    h = R.TupleGetItem(t, 0)
    i, j = R.split(a, 2)
    return (f, g, h, j)
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(t: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((3,), dtype="int32"))) -> R.Tuple(R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((3,), dtype="int32")), R.Tensor((3,), dtype="int32"), R.Tensor((2,), dtype="float32"), R.Tensor((1,), dtype="float32")):
#     a: R.Tensor((2,), dtype="float32") = t[0]
#     b: R.Tensor((3,), dtype="int32") = t[1]
#     c: R.Tensor((3,), dtype="int32") = b
#     d: R.Tensor((2,), dtype="float32") = a
#     e: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((3,), dtype="int32"))) = a, (b, c)
#     f: R.Tuple(R.Tensor((3,), dtype="int32"), R.Tensor((3,), dtype="int32")) = e[1]
#     g: R.Tensor((3,), dtype="int32") = b
#     h: R.Tensor((2,), dtype="float32") = t[0]
#     gv: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")) = R.split(a, indices_or_sections=2, axis=0)
#     i: R.Tensor((1,), dtype="float32") = gv[0]
#     j: R.Tensor((1,), dtype="float32") = gv[1]
#     return (f, g, h, j)
