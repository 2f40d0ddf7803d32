# RUN: opt -p Functionalize
# A branch that writes gives the storage as a further result, or as its value; what is not read behind it is not given.
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
    def further(x: R.Tensor((4,), "float32"), c: T.bool):
        cls = Module
        t = R.copy(x)
        u = R.copy(x)
        if c:
            cls.neg(t)
            cls.neg(u)
            z = R.add(t, x)
        else:
            z = R.add(x, x)
        y = R.add(z, t)
        return y

    @R.function(pure=False)
    def itself(x: R.Tensor((4,), "float32"), c: T.bool):
        cls = Module
        t = R.copy(x)
        if c:
            cls.neg(t)
            z = t
        else:
            if c:
                cls.neg(t)
                y = x
            else:
                y = R.copy(x)
            z = t
        cls.neg(t)
        return (t, z)

    @R.function(pure=False)
    def inside(x: R.Tensor((4,), "float32"), c: T.bool):
        cls = Module
        if c:
            t = R.copy(x)
            cls.neg(t)
            z = R.add(t, x)
        else:
            z = R.add(x, x)
        return z

    @R.function(pure=False)
    def both(x: R.Tensor((4,), "float32"), c: T.bool):
        cls = Module
        t = R.copy(x)
        u = R.negative(x)
        v = R.exp(x)
        if c:
            cls.neg(t)
            cls.neg(u)
            cls.neg(t)
            z = R.add(t, x)
        else:
            cls.neg(v)
            cls.neg(t)
            z = R.add(x, v)
        y = R.add(R.add(z, t), R.add(u, v))
        return y
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
#     def both(x: R.Tensor((4,), dtype="float32"), c: T.bool) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         u: R.Tensor((4,), dtype="float32") = R.negative(x)
#         v: R.Tensor((4,), dtype="float32") = R.exp(x)
#         if c:
#             t_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             u_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             t_2: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t_1,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             z: R.Tensor((4,), dtype="float32") = R.add(t_2, x)
#             gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z, t_2, u_1, v
#         else:
#             v_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (v,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             t_3: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             z: R.Tensor((4,), dtype="float32") = R.add(x, v_1)
#             gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z, t_3, u, v_1
#         z: R.Tensor((4,), dtype="float32") = gv[0]
#         t_4: R.Tensor((4,), dtype="float32") = gv[1]
#         u_2: R.Tensor((4,), dtype="float32") = gv[2]
#         v_2: R.Tensor((4,), dtype="float32") = gv[3]
#         gv1: R.Tensor((4,), dtype="float32") = R.add(z, t_4)
#         gv2: R.Tensor((4,), dtype="float32") = R.add(u_2, v_2)
#         y: R.Tensor((4,), dtype="float32") = R.add(gv1, gv2)
#         return y
#
#     @R.function(pure=False)
#     def further(x: R.Tensor((4,), dtype="float32"), c: T.bool) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         if c:
#             t_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             u_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             z: R.Tensor((4,), dtype="float32") = R.add(t_1, x)
#             gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z, t_1
#         else:
#             z: R.Tensor((4,), dtype="float32") = R.add(x, x)
#             gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = z, t
#         z: R.Tensor((4,), dtype="float32") = gv[0]
#         t_2: R.Tensor((4,), dtype="float32") = gv[1]
#         y: R.Tensor((4,), dtype="float32") = R.add(z, t_2)
#         return y
#
#     @R.function(pure=False)
#     def inside(x: R.Tensor((4,), dtype="float32"), c: T.bool) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         if c:
#             t: R.Tensor((4,), dtype="float32") = R.copy(x)
#             t_1: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#             z: R.Tensor((4,), dtype="float32") = R.add(t_1, x)
#         else:
#             z: R.Tensor((4,), dtype="float32") = R.add(x, x)
#         return z
#
#     @R.function(pure=False)
#     def itself(x: R.Tensor((4,), dtype="float32"), c: T.bool) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         if c:
#             z: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         else:
#             if c:
#                 t_2: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#                 gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = x, t_2
#             else:
#                 y: R.Tensor((4,), dtype="float32") = R.copy(x)
#                 gv: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = y, t
#             y: R.Tensor((4,), dtype="float32") = gv[0]
#             z: R.Tensor((4,), dtype="float32") = gv[1]
#         t_4: R.Tensor((4,), dtype="float32") = R.call_tir_inplace(cls.neg, (z,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
#         return (t_4, t_4)
