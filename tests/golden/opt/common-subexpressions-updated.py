# RUN: opt -p ResolveInplace,EliminateCommonSubexpr FILE
# What in-place calls update are two pieces of storage, also where they begin as copies of one value; results that nobody updates become one.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] * T.float32(2)

    @T.prim_func(private=True)
    def next(a: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir_inplace(cls.double, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            b = R.call_tir_inplace(cls.next, (x,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            c = R.exp(x)
            d = R.exp(x)
            e = R.call_tir_inplace(cls.next, (c,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            f = R.tanh(x)
            g = R.tanh(x)
            h = R.add(f, g)
            i = R.add(d, h)
            R.output(a, b, e, i)
        return (a, b, e, i)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def double(a: T.Buffer((4,), "float32")):
#         for i in range(4):
#             a[i] = a[i] * T.float32(2.0)
#
#     @T.prim_func(private=True)
#     def double_fresh(a: T.Buffer((4,), "float32"), a_new: T.Buffer((4,), "float32")):
#         for i in range(4):
#             a_new[i] = a[i] * T.float32(2.0)
#
#     @T.prim_func(private=True)
#     def next(a: T.Buffer((4,), "float32")):
#         for i in range(4):
#             a[i] = a[i] + T.float32(1.0)
#
#     @T.prim_func(private=True)
#     def next_fresh(a: T.Buffer((4,), "float32"), a_new: T.Buffer((4,), "float32")):
#         for i in range(4):
#             a_new[i] = a[i] + T.float32(1.0)
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         with R.dataflow():
#             a = R.call_tir(cls.double_fresh, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             b = R.call_tir(cls.next_fresh, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#             c: R.Tensor((4,), dtype="float32") = R.exp(x)
#             d: R.Tensor((4,), dtype="float32") = R.exp(x)
#             e: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.next, (c,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             f: R.Tensor((4,), dtype="float32") = R.tanh(x)
#             h: R.Tensor((4,), dtype="float32") = R.add(f, f)
#             i: R.Tensor((4,), dtype="float32") = R.add(d, h)
#             R.output(a, b, e, i)
#         return (a, b, e, i)
