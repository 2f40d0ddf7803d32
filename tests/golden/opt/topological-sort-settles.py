# RUN: opt -p 'fix(TopologicalSort(order=breadth-first, direction=from-outputs))'
# What is equal keeps its order, so that a fixed point settles: the readers of b, and the unused ops.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def update(x: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] * T.float32(2)

    @R.function
    def main(a: R.Tensor((4,), "float32")):
        with R.dataflow():
            b = R.add(a, a)
            c = R.exp(b)
            d = R.add(b, b)
            e = R.multiply(b, b)
            u = R.call_tir_inplace(Module.update, (b,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            f = R.add(u, e)
            R.output(f)
        return f
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def update(x: T.Buffer((4,), "float32")):
#         for i in range(4):
#             x[i] = x[i] * T.float32(2.0)
#
#     @R.function
#     def main(a: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             b: R.Tensor((4,), dtype="float32") = R.add(a, a)
#             c: R.Tensor((4,), dtype="float32") = R.exp(b)
#             d: R.Tensor((4,), dtype="float32") = R.add(b, b)
#             e: R.Tensor((4,), dtype="float32") = R.multiply(b, b)
#             u: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.update, (b,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             f: R.Tensor((4,), dtype="float32") = R.add(u, e)
#             R.output(f)
#         return f
