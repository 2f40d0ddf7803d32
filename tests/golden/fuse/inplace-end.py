# RUN: opt -p LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ResolveInplace
# An update in place at the end of a chain: the kernel of the whole chain runs in place, on the same argument. It may,
# although exp reads the argument too: it reads each element right before it is written.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[v]

    @T.prim_func(private=True)
    def mirror(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("mirror"):
                v = T.axis.spatial(4, i)
                a[v] = a[v] + b[3 - v]

    @T.prim_func(private=True)
    def prefix(a: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("prefix"):
                v = T.axis.spatial(3, i)
                a[v + 1] = a[v] + a[v + 1]

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = R.multiply(a, y)
            z = R.call_tir_inplace(cls.add, (x, b), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            R.output(z)
        return z
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def fused_tir_exp_multiply_add(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("add"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(x[v], y[v])
#                 T.writes(x[v])
#                 x[v] = x[v] + T.exp(x[v]) * y[v]
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         with R.dataflow():
#             z: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.fused_tir_exp_multiply_add, (x, y), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             R.output(z)
#         return z
