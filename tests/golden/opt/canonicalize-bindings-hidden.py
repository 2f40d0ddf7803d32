# RUN: opt -p CanonicalizeBindings,DeadCodeElimination
# What a name of type R.Object hides is known where the value was made: casts back, and fields of what they give, are names of that.
# One to another type, or of what only a run knows, is a cast.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 3), "float32"), o: R.Object):
        m = T.int64()
        k = T.int64()
        a = R.negative(x)
        b = R.exp(x)
        p: R.Object = a
        q: R.Object = p
        c = R.match_cast(q, R.Tensor((4, 3), "float32"))
        t: R.Object = (b, c)
        u = R.match_cast(t, R.Tuple(R.Tensor((4, 3), "float32"), R.Tensor((4, 3), "float32")))
        d = R.add(u[1], u[0])
        e = R.match_cast(p, R.Tensor((4, m), "float32"))
        f = R.match_cast(o, R.Tensor((4, 3), "float32"))
        g = R.match_cast(t, R.Tuple(R.Tensor((4, k), "float32"), R.Tensor((4, 3), "float32")))
        return (d, e, f, g[0])
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main(x: R.Tensor((4, 3), dtype="float32"), o: R.Any) -> R.Tuple(R.Tensor((4, 3), dtype="float32"), R.Tensor(dtype="float32", ndim=2), R.Tensor((4, 3), dtype="float32"), R.Tensor(dtype="float32", ndim=2)):
#         m = T.int64()
#         k = T.int64()
#         a: R.Tensor((4, 3), dtype="float32") = R.negative(x)
#         b: R.Tensor((4, 3), dtype="float32") = R.exp(x)
#         p: R.Any = a
#         u: R.Tuple(R.Tensor((4, 3), dtype="float32"), R.Tensor((4, 3), dtype="float32")) = b, a
#         t: R.Any = u
#         d: R.Tensor((4, 3), dtype="float32") = R.add(a, b)
#         e: R.Tensor((4, m), dtype="float32") = R.match_cast(p, R.Tensor((4, m), dtype="float32"))
#         f: R.Tensor((4, 3), dtype="float32") = R.match_cast(o, R.Tensor((4, 3), dtype="float32"))
#         g: R.Tuple(R.Tensor((4, k), dtype="float32"), R.Tensor((4, 3), dtype="float32")) = R.match_cast(t, R.Tuple(R.Tensor((4, k), dtype="float32"), R.Tensor((4, 3), dtype="float32")))
#         gv: R.Tensor((4, k), dtype="float32") = g[0]
#         return (d, e, f, gv)
