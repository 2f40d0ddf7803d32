# RUN: opt -p ResolveInplace,TopologicalSort
# q reads the storage of b through a view.  A search from the inputs meets the update of b first; it stays
# behind q all the same.
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
    def main(a: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        with R.dataflow():
            b = R.add(a, a)
            view = R.reshape(b, R.shape([2, 2]))
            p = R.add(w, w)
            q = R.multiply(view, R.reshape(p, R.shape([2, 2])))
            u = R.call_tir_inplace(Module.update, (b,), inplace_indices=[0], out_ty=R.Tensor((4,), "float32"))
            r = R.add(u, R.reshape(q, R.shape([4])))
            R.output(r)
        return r
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
#     def main(a: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         with R.dataflow():
#             b: R.Tensor((4,), dtype="float32") = R.add(a, a)
#             view: R.Tensor((2, 2), dtype="float32") = R.reshape(b, R.shape([2, 2]))
#             p: R.Tensor((4,), dtype="float32") = R.add(w, w)
#             lv: R.Tensor((2, 2), dtype="float32") = R.reshape(p, R.shape([2, 2]))
#             q: R.Tensor((2, 2), dtype="float32") = R.multiply(view, lv)
#             lv1: R.Tensor((4,), dtype="float32") = R.reshape(q, R.shape([4]))
#             u: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.update, (b,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             r: R.Tensor((4,), dtype="float32") = R.add(u, lv1)
#             R.output(r)
#         return r
