# RUN: opt -p ReorderForPeak
# `m` is best made late, so the order changes; but `wide`, which needs 4096 bytes more, stays in front of the update of what
# it reads, which needs none.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((16, 16), "float32")):
        for i, j in T.grid(16, 16):
            with T.sblock("double"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] * T.float32(2)

    @R.function
    def main(x: R.Tensor((16, 16), "float32"), y: R.Tensor((16, 16), "float32")) -> R.Tuple(R.Tensor((), "float32"), R.Tensor((), "float32"), R.Tensor((), "float32")):
        cls = Module
        a = R.exp(x)
        m = R.log(y)
        wide = R.repeat(a, 4, 0)
        updated = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((16, 16), "float32"), inplace_indices=[0])
        q = R.sum(updated)
        t = R.sum(wide)
        k = R.sum(m)
        return (q, t, k)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def double(a: T.Buffer((16, 16), "float32")):
#         # with T.sblock("root"):
#         for i, j in T.grid(16, 16):
#             with T.sblock("double"):
#                 v_i, v_j = T.axis.remap("SS", [i, j])
#                 T.reads(a[v_i, v_j])
#                 T.writes(a[v_i, v_j])
#                 a[v_i, v_j] = a[v_i, v_j] * T.float32(2.0)
#
#     @R.function
#     def main(x: R.Tensor((16, 16), dtype="float32"), y: R.Tensor((16, 16), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
#         cls = Module
#         a: R.Tensor((16, 16), dtype="float32") = R.exp(x)
#         wide: R.Tensor((64, 16), dtype="float32") = R.repeat(a, repeats=4, axis=0)
#         updated: R.Tensor((16, 16), dtype="float32") = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((16, 16), dtype="float32"), inplace_indices=[0])
#         q: R.Tensor((), dtype="float32") = R.sum(updated, axis=None, keepdims=False)
#         t: R.Tensor((), dtype="float32") = R.sum(wide, axis=None, keepdims=False)
#         m: R.Tensor((16, 16), dtype="float32") = R.log(y)
#         k: R.Tensor((), dtype="float32") = R.sum(m, axis=None, keepdims=False)
#         return (q, t, k)
