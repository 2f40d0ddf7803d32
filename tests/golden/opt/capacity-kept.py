# RUN: opt -p BindSymbolicVars,RemoveUnusedParameters,LegalizeOps,ElideConcat --dim n=3
# A dimension becomes a number: what was said of it is said as a list.  A parameter that is gone has no room.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def inner(x: R.Tensor((4,), "float32"), old: R.Tensor(("k",), "float32")):
        R.func_attr({"relax.inplace_arg": [1], "relax.capacity": {"old": 8}})
        return R.negative(x)

    @R.function
    def main(past: R.Tensor(("n", 4), "float32"), x: R.Tensor((4,), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        cls = Module
        y = cls.inner(x, x)
        k = R.concat((past, R.reshape(y, (1, 4))), axis=0)
        return k

# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def concat_part(x1: T.Buffer((T.int64(1), T.int64(4)), "float32"), out: T.Buffer((T.int64(4), T.int64(4)), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0, ax1 in T.grid(T.int64(1), T.int64(4)):
#             with T.sblock("T_concat"):
#                 v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
#                 T.reads(x1[v_ax0, v_ax1])
#                 T.writes(out[v_ax0 + T.int64(3), v_ax1])
#                 out[v_ax0 + T.int64(3), v_ax1] = x1[v_ax0, v_ax1]
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_negative(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_negative"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x[v_ax0] * T.float32(-1.0)
#
#     @R.function(private=True)
#     def inner(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.capacity": {}, "relax.inplace_arg": []})
#         cls = Module
#         gv = R.call_tir(cls.tir_negative, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         return gv
#
#     @R.function
#     def main(past: R.Tensor((3, 4), dtype="float32"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4, 4), dtype="float32"):
#         R.func_attr({"relax.capacity": {"past": [8, 4]}, "relax.inplace_arg": [0]})
#         cls = Module
#         k_dest: R.Tensor((4, 4), dtype="float32") = R.memory.view(past, R.shape([4, 4]), R.dtype("float32"), 0)
#         y: R.Tensor((4,), dtype="float32") = cls.inner(x)
#         gv: R.Tensor((1, 4), dtype="float32") = R.reshape(y, R.shape([1, 4]))
#         k: R.Tensor((4, 4), dtype="float32") = R.call_tir_inplace(cls.concat_part, (gv, k_dest), out_ty=R.Tensor((4, 4), dtype="float32"), inplace_indices=[1])
#         return k
