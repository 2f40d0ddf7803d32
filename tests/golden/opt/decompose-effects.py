# RUN: opt -p DecomposeOpsForInference
# A kernel that is called for its effect writes the result of dropout: that must not be `x` itself.
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
        t = R.nn.dropout(x)
        a = t[0]
        cls.increment(a)
        return (x, a)
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
#         gv: R.Tensor((4,), dtype="float32") = R.ones_like(x, dtype=None)
#         a: R.Tensor((4,), dtype="float32") = R.copy(x)
#         cls.increment(a)
#         return (x, a)
