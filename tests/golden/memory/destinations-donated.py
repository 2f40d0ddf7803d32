# RUN: opt -p LegalizeOps,ResolveInplace,ToNonDataflow,CallTIRRewrite,PassDestinations
# A function that updates what it is given, and makes a result besides: that one is donated, too, and the other one still is. Functions
# whose symbols have bounds (of a donated parameter they mean room), and those that are values, too, keep what they take.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def inc(x: T.Buffer((4,), "float32")):
        for i in range(4):
            x[i] = x[i] + T.float32(1)

    @R.function(private=True)
    def update(w: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [1]})
        cls = Module
        y = R.add(x, w)
        z = R.call_tir_inplace(cls.inc, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return z, y

    @R.function(private=True)
    def bounded(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        R.func_attr({"tir_var_upper_bound": {"n": 8}})
        y = R.exp(x)
        return y

    @R.function(private=True)
    def valued(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor((4,), "float32")):
        cls = Module
        t = R.negative(x)
        p = cls.update(w, t)
        b = cls.bounded(p[1])
        v = cls.valued(x)
        f = R.make_closure(cls.valued, ())
        g = R.invoke_pure_closure(f, (x,), ty_args=R.Tensor((4,), "float32"))
        return (p[0], R.add(p[1], b), v, g)
# OUT:
# # from typing import TypeVar
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# n = TypeVar("n")
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
#     @T.prim_func(private=True)
#     def inc(x: T.Buffer((4,), "float32")):
#         for i in range(4):
#             x[i] = x[i] + T.float32(1.0)
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp(x: T.Buffer((n,), "float32"), out: T.Buffer((n,), "float32")):
#         T.func_attr({"tirx.noalias": True})
#         # with T.sblock("root"):
#         for ax0 in range(n):
#             with T.sblock("T_tir_exp"):
#                 v_ax0 = T.axis.spatial(n, ax0)
#                 T.reads(x[v_ax0])
#                 T.writes(out[v_ax0])
#                 out[v_ax0] = T.exp(x[v_ax0])
#
#     @T.prim_func(private=True, s_tir=True)
#     def tir_exp_1(x: T.Buffer((T.int64(4),), "float32"), out: T.Buffer((T.int64(4),), "float32")):
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
#     @R.function(private=True)
#     def bounded(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n,), dtype="float32"):
#         R.func_attr({"tir_var_upper_bound": {"n": 8}})
#         cls = Module
#         y_dest: R.Tensor((n,), dtype="float32") = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), 0, R.str("global"))
#         y: R.Tensor((n,), dtype="float32") = R.call_tir_inplace(cls.tir_exp, (x, y_dest), out_ty=R.Tensor((n,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function(private=True)
#     def update(w: R.Tensor((4,), dtype="float32"), x: R.Tensor((4,), dtype="float32"), y_dest: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [1, 2]})
#         cls = Module
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (x, w, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         z: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.inc, (x,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return (z, y)
#
#     @R.function(private=True)
#     def valued(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         y_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         y: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_exp_1, (x, y_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         return y
#
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         t: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.tir_negative, (x, t_dest), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[1])
#         p_dest: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = cls.update(w, t, p_dest)
#         gv: R.Tensor((4,), dtype="float32") = p[1]
#         b: R.Tensor((4,), dtype="float32") = cls.bounded(gv)
#         v: R.Tensor((4,), dtype="float32") = cls.valued(x)
#         f: R.Any = R.make_closure(cls.valued, R.tuple())
#         g: R.Tensor((4,), dtype="float32") = R.invoke_pure_closure(f, (x,), ty_args=(R.Tensor((4,), dtype="float32"),))
#         gv1: R.Tensor((4,), dtype="float32") = p[0]
#         gv2: R.Tensor((4,), dtype="float32") = p[1]
#         gv3: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         gv4: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.add, (gv2, b, gv3), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[2])
#         return (gv1, gv4, v, g)
