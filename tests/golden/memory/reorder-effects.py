# RUN: opt -p ReorderForPeak
# What has an effect stays where it is, and nothing passes it: `b` is held while `a` is added up here.  In the branch there is
# nothing between.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((16, 16), "float32"), n: R.Tensor((), "bool")) -> R.Tensor((), "float32"):
        a = R.exp(x)
        b = R.log(x)
        R.print(n, format="{}")
        c = R.sum(a)
        d = R.sum(b)
        if n:
            p = R.sin(x)
            q = R.cos(x)
            r = R.sum(p)
            s = R.sum(q)
            e = R.add(r, s)
        else:
            e = R.add(c, d)
        return e
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((16, 16), dtype="float32"), n: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="float32"):
#         a: R.Tensor((16, 16), dtype="float32") = R.exp(x)
#         b: R.Tensor((16, 16), dtype="float32") = R.log(x)
#         R.print(n, format=R.str("{}"))
#         c: R.Tensor((), dtype="float32") = R.sum(a, axis=None, keepdims=False)
#         d: R.Tensor((), dtype="float32") = R.sum(b, axis=None, keepdims=False)
#         if n:
#             p: R.Tensor((16, 16), dtype="float32") = R.sin(x)
#             r: R.Tensor((), dtype="float32") = R.sum(p, axis=None, keepdims=False)
#             q: R.Tensor((16, 16), dtype="float32") = R.cos(x)
#             s: R.Tensor((), dtype="float32") = R.sum(q, axis=None, keepdims=False)
#             e: R.Tensor((), dtype="float32") = R.add(r, s)
#         else:
#             e: R.Tensor((), dtype="float32") = R.add(c, d)
#         return e
