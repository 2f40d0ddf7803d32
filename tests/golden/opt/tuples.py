# RUN: opt
# Tuples are made, nested, taken apart and returned.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((2,), dtype="float32")))) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        a = p[0]
        b = p[1]
        c = b[0]
        q = (R.add(x, a), c)
        r = R.split(x, 2, axis=0)
        s = r[1]
        return (q[0], s)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((2,), dtype="float32")))) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")):
#         a: R.Tensor((4,), dtype="float32") = p[0]
#         b: R.Tuple(R.Tensor((2,), dtype="float32")) = p[1]
#         c: R.Tensor((2,), dtype="float32") = b[0]
#         gv: R.Tensor((4,), dtype="float32") = R.add(x, a)
#         q: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32")) = gv, c
#         r: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
#         s: R.Tensor((2,), dtype="float32") = r[1]
#         gv1: R.Tensor((4,), dtype="float32") = q[0]
#         return (gv1, s)
