# RUN: opt -p Functionalize
# What calls write becomes a value; views, tuples and results that are the argument are made of it anew.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {
        "look": {"reads": [0]}, "sort": {"reads": [0], "mutates": [1]}, "sum": {"mutates": [0]},
        "same": {"mutates": [0], "aliases": [[0]]}, "keep": {"mutates": [0], "retains": [1]},
    }})

    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v = T.axis.spatial(4, i)
                a[v] = T.float32(0) - a[v]

    @T.prim_func(private=True)
    def add(a: T.Buffer((2, 2), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v = T.axis.spatial(4, i)
                a[v // 2, v % 2] = a[v // 2, v % 2] + b[v]

    @R.function(pure=False)
    def kernels(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.builtin.alloc_tensor(R.shape([4]), "float32", 0, "global")
        u = R.copy(x)
        v = R.reshape(u, R.shape([2, 2]))
        p = (u, t)
        cls.add(v, x)
        cls.neg(u)
        w = R.add(v, v)
        q = p[0]
        return (u, v, q, w)

    @R.function(pure=False)
    def packed(x: R.Tensor((4,), "float32")):
        t = R.builtin.alloc_tensor(R.shape([4]), "float32", 0, "global")
        R.call_packed("sort", x, t, ty_args=(R.Tuple(),))
        R.call_packed("look", t, ty_args=(R.Tuple(),))
        n = R.call_packed("sum", t, ty_args=(R.Tensor((4,), "float32"),))
        s = R.call_packed("same", t, ty_args=(R.Tensor((4,), "float32"),))
        return (n, s, t)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     I.module_attrs({"relax.contracts": {"keep": {"mutates": [0], "retains": [1]}, "look": {"reads": [0]}, "same": {"aliases": [[0]], "mutates": [0]}, "sort": {"mutates": [1], "reads": [0]}, "sum": {"mutates": [0]}}})
#     @T.prim_func(private=True, s_tir=True)
#     def add(a: T.Buffer((2, 2), "float32"), b: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("add"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v // 2, v % 2], b[v])
#                 T.writes(a[v // 2, v % 2])
#                 a[v // 2, v % 2] = a[v // 2, v % 2] + b[v]
#
#     @T.prim_func(private=True, s_tir=True)
#     def neg(a: T.Buffer((4,), "float32")):
#         # with T.sblock("root"):
#         for i in range(4):
#             with T.sblock("neg"):
#                 v = T.axis.spatial(4, i)
#                 T.reads(a[v])
#                 T.writes(a[v])
#                 a[v] = T.float32(0.0) - a[v]
#
#     @R.function(pure=False)
#     def kernels(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2, 2), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((2, 2), dtype="float32")):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         v: R.Tensor((2, 2), dtype="float32") = R.reshape(u, R.shape([2, 2]))
#         p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = u, t
#         u_1: R.Tensor((2, 2), dtype="float32") = R.call_tir_inplace(cls.add, (v, x), out_ty=R.Tensor((2, 2), dtype="float32"), inplace_indices=[0])
#         gv: R.Tensor((4,), dtype="float32") = R.reshape(u_1, R.shape([4]))
#         u_2: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (gv,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         gv1: R.Tensor((2, 2), dtype="float32") = R.reshape(u_2, R.shape([2, 2]))
#         gv2: R.Tensor((2, 2), dtype="float32") = R.reshape(u_2, R.shape([2, 2]))
#         w: R.Tensor((2, 2), dtype="float32") = R.add(gv1, gv2)
#         gv3: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = u_2, t
#         q: R.Tensor((4,), dtype="float32") = gv3[0]
#         gv4: R.Tensor((2, 2), dtype="float32") = R.reshape(u_2, R.shape([2, 2]))
#         return (u_2, gv4, q, w)
#
#     @R.function(pure=False)
#     def packed(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         t: R.Tensor((4,), dtype="float32") = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"))
#         t_1: R.Tensor((4,), dtype="float32") = R.call_inplace_packed("sort", x, t, inplace_indices=[1], ty_args=(R.Tensor((4,), dtype="float32"),))
#         R.call_packed("look", t_1, ty_args=(R.Tuple,))
#         gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.call_inplace_packed("sum", t_1, inplace_indices=[-1, 0], ty_args=(R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")),))
#         n: R.Tensor((4,), dtype="float32") = gv[0]
#         t_2: R.Tensor((4,), dtype="float32") = gv[1]
#         t_3: R.Tensor((4,), dtype="float32") = R.call_inplace_packed("same", t_2, inplace_indices=[0], ty_args=(R.Tensor((4,), dtype="float32"),))
#         return (n, t_3, t_3)
