# RUN: opt -p ConvertToDataflow
# Rows of pure ops, in branches too; `one` alone is too short, d joins the block in front of it.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), p: R.Tensor((), "bool")):
        z = R.add(x, y)
        w = R.multiply(z, y)
        v = R.add(w, x)
        _ = R.print(v)
        one = R.add(v, v)
        _1 = R.print(one)
        if p:
            q = R.multiply(v, v)
            a = R.add(q, q)
            b = R.multiply(a, a)
        else:
            b = R.add(v, v)
        with R.dataflow():
            c = R.add(b, b)
            R.output(c)
        d = R.add(c, c)
        _2 = R.print(d)
        return d
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32"), p: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         with R.dataflow():
#             z: R.Tensor((4,), dtype="float32") = R.add(x, y)
#             w: R.Tensor((4,), dtype="float32") = R.multiply(z, y)
#             v: R.Tensor((4,), dtype="float32") = R.add(w, x)
#             R.output(v)
#         R.print(v, format=R.str(""))
#         one: R.Tensor((4,), dtype="float32") = R.add(v, v)
#         R.print(one, format=R.str(""))
#         if p:
#             with R.dataflow():
#                 q: R.Tensor((4,), dtype="float32") = R.multiply(v, v)
#                 a: R.Tensor((4,), dtype="float32") = R.add(q, q)
#                 b_1: R.Tensor((4,), dtype="float32") = R.multiply(a, a)
#                 R.output(b_1)
#             b: R.Tensor((4,), dtype="float32") = b_1
#         else:
#             b: R.Tensor((4,), dtype="float32") = R.add(v, v)
#         with R.dataflow():
#             c: R.Tensor((4,), dtype="float32") = R.add(b, b)
#             d: R.Tensor((4,), dtype="float32") = R.add(c, c)
#             R.output(d)
#         R.print(d, format=R.str(""))
#         return d
