# RUN: opt -p SimplifyGraph
# A kernel that is called for its effect writes `a`: `c` is the negative of what `b` was made from, not `a`
# as it is then; and `d` must not become a name of `a`.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def increment(x: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                x[vi] = x[vi] + T.float32(1)

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        b = R.negative(a)
        d = R.multiply(a, R.const(1.0, "float32"))
        cls.increment(a)
        c = R.negative(b)
        return (c, d)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def increment(x: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("b"):
#                 vi = T.axis.spatial(4, i)
#                 T.reads(x[vi])
#                 T.writes(x[vi])
#                 x[vi] = x[vi] + T.float32(1.0)
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         a: R.Tensor((4,), dtype="float32") = R.exp(x)
#         b: R.Tensor((4,), dtype="float32") = R.negative(a)
#         d: R.Tensor((4,), dtype="float32") = R.multiply(a, R.const(1.0, "float32"))
#         cls.increment(a)
#         c: R.Tensor((4,), dtype="float32") = R.negative(b)
#         return (c, d)
