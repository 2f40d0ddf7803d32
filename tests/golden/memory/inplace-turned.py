# RUN: opt -p ResolveInplace --verify-each --roundtrip-each --check-each
# A loop that runs in the wrong direction for one storage is turned round, for the calls that gain by it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def up(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        a[0] = b[3]
        for i in range(3):
            a[i + 1] = b[i]

    @T.prim_func(private=True)
    def up2(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(3):
            a[i + 1] = b[i]

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        new = R.call_tir_inplace(cls.up, (t, t), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        u = R.exp(y)
        new2 = R.call_tir_inplace(cls.up2, (u, u), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        new3 = R.call_tir_inplace(cls.up2, (new2, new2), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        new4 = R.add(new3, u)
        return (new, new4)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True)
#     def up(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         a[0] = b[3]
#         for i in range(3):
#             a[i + 1] = b[i]
#
#     @T.prim_func(private=True)
#     def up2(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         for i in range(3):
#             a[i + 1] = b[i]
#
#     @T.prim_func(private=True)
#     def up2_backwards(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         for i in range(3):
#             a[2 - i + 1] = b[2 - i]
#
#     @T.prim_func(private=True)
#     def up_fresh(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), a_new: T.Buffer((4,), "float32")):
#         a_new[0] = b[3]
#         for i in range(3):
#             a_new[i + 1] = b[i]
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.exp(x)
#         new = R.call_tir(cls.up_fresh, (t, t), out_ty=R.Tensor((4,), dtype="float32"))
#         u: R.Tensor((4,), dtype="float32") = R.exp(y)
#         u_copy: R.Tensor((4,), dtype="float32") = R.copy(u)
#         new2: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.up2, (u_copy, u), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         new3: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.up2_backwards, (new2, new2), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         new4: R.Tensor((4,), dtype="float32") = R.add(new3, u)
#         return (new, new4)
