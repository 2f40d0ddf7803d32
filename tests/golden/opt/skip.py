# RUN: opt --skip ResolveInplace --print-after -p debug
# Passes of a pipeline that are left out; the others are seen.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        b = a
        c = R.exp(b)
        d = R.exp(a)
        e = R.add(c, d)
        return e
# OUT:
# # ---- after LegalizeOps ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         b: R.Tensor((4,), dtype="float32") = a
#         c = R.call_tir(cls.tir_exp, (b,), out_ty=R.Tensor((4,), dtype="float32"))
#         d = R.call_tir(cls.tir_exp, (a,), out_ty=R.Tensor((4,), dtype="float32"))
#         e = R.call_tir(cls.add, (c, d), out_ty=R.Tensor((4,), dtype="float32"))
#         return e
# # ---- after ToNonDataflow ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         a = R.call_tir(cls.tir_exp, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#         b: R.Tensor((4,), dtype="float32") = a
#         c = R.call_tir(cls.tir_exp, (b,), out_ty=R.Tensor((4,), dtype="float32"))
#         d = R.call_tir(cls.tir_exp, (a,), out_ty=R.Tensor((4,), dtype="float32"))
#         e = R.call_tir(cls.add, (c, d), out_ty=R.Tensor((4,), dtype="float32"))
#         return e
# # ---- after CallTIRRewrite ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         a_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         a: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, a_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         b: R.Tensor((4,), dtype="float32") = a
#         c_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         c: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (b, c_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         d_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (a, d_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         e_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         e: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (c, d, e_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         return e
# # ---- after KillAfterLastUse ----
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         a_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         a: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, a_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         b: R.Tensor((4,), dtype="float32") = a
#         c_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         c: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (b, c_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         d_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (a, d_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(a_dest)
#         e_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         e: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (c, d, e_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(c_dest)
#         R.memory.kill_tensor(d_dest)
#         return e
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @T.prim_func(private=True, s_tir=True)
#     def add(x1: T.Buffer((T.int64(4),), "float32"), x2: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(T.int64(4)):
#             with T.sblock("T_add"):
#                 v_ax0 = T.axis.spatial(T.int64(4), ax0)
#                 T.reads(x1[v_ax0], x2[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = x1[v_ax0] + x2[v_ax0]
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
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.force_pure": True})
#         cls = Module
#         a_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         a: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, a_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         b: R.Tensor((4,), dtype="float32") = a
#         c_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         c: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (b, c_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         d_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         d: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (a, d_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         R.memory.kill_tensor(a_dest)
#         e_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         e: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (c, d, e_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         R.memory.kill_tensor(c_dest)
#         R.memory.kill_tensor(d_dest)
#         return e
