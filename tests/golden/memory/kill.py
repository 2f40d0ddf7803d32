# RUN: opt -p LegalizeOps,ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse
# Storage ends after the last use of all that may share it: what is made in a branch and leaves it, what was updated in
# place, and the result of the function.
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
    def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("both"):
                v = T.axis.spatial(4, i)
                b[v] = a[v] + T.float32(1)
                c[v] = a[v] - T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        pair = R.call_tir(cls.both, (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        a = pair[0]
        b = pair[1]
        d = R.call_tir_inplace(cls.add, (a, b), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        if c:
            e = R.call_tir_inplace(cls.add, (d, x), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            f = R.reshape(e, R.shape([4]))
        else:
            t = R.abs(b)
            f = R.exp(t)
        g = R.negative(f)
        return g
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("add"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v], b[v])
#                 T.writes(a[v])
#                 a[v] = a[v] + b[v]
#
#     @T.prim_func(private=True, s_tir=True)
#     def both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("both"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v])
#                 T.writes(b[v], c[v])
#                 b[v] = a[v] + T.float32(1.0)
#                 c[v] = a[v] - T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_abs(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_abs"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.fabs(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         pair_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         pair_dest_1: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         pair: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_tir_inplace(cls.both, (x, pair_dest, pair_dest_1), out_ty=[R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")], inplace_indices=[1, 2])
#         a: R.Tensor((4,), dtype="float32") = pair[0]
#         b: R.Tensor((4,), dtype="float32") = pair[1]
#         d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (a, b), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         if c:
#             e: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (d, x), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             f: R.Tensor((4,), dtype="float32") = R.reshape(e, R.shape([4]))
#         else:
#             t_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             t: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_abs, (b, t_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#             f_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#             f_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (t, f_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#             R.memory.kill_tensor(t_dest)
#             f: R.Tensor((4,), dtype="float32") = f_1
#         R.memory.kill_tensor(pair_dest_1)
#         g_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         g: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_negative, (f, g_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         R.vm.kill_object((f, pair_dest))
#         return g
