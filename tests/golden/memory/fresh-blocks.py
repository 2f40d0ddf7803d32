# RUN: opt -p ResolveInplace
# A kernel that gets a parameter for what it writes stores there, and its blocks say so; a store elsewhere, and what they read, stays.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def step(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("step"):
                v = T.axis.spatial(4, i)
                T.reads(a[v], b[v])
                T.writes(a[v], c[v])
                c[v] = a[v] - b[v]
                a[v] = a[v] + b[v]

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            t = R.negative(x)
            u = R.call_tir_inplace(cls.step, (t, y), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[0, -1])
            z = R.add(t, u[0])
            R.output(z, u)
        return (z, u)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def step(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("step"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v], b[v])
#                 T.writes(a[v], c[v])
#                 c[v] = a[v] - b[v]
#                 a[v] = a[v] + b[v]
#
#     @T.prim_func(private=True, s_tir=True)
#     def step_fresh(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), a_new: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("step"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v], b[v])
#                 T.writes(a_new[v], c[v])
#                 c[v] = a[v] - b[v]
#                 a_new[v] = a[v] + b[v]
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))):
#         cls = Module
#         with R.dataflow():
#             t: R.Tensor((4,), dtype="float32") = R.negative(x)
#             u = R.call_tir(cls.step_fresh, (t, y), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")])
#             lv: R.Tensor((4,), dtype="float32") = u[0]
#             z: R.Tensor((4,), dtype="float32") = R.add(t, lv)
#             R.output(z, u)
#         return (z, u)
