# RUN: opt -p Functionalize
# Calls that stay, with what stands against each.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {
        "look": {"reads": [0]}, "sort": {"reads": [0], "mutates": [1]}, "sum": {"mutates": [0]},
        "same": {"mutates": [0], "aliases": [[0]]}, "keep": {"mutates": [0], "retains": [1]}, "both": {"mutates": [0, 1]},
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
    def parameter(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        cls.neg(x)
        return x

    @R.function(pure=False)
    def held(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.copy(x)
        cls.neg(t)
        R.call_packed("no.contract", t, ty_args=(R.Tuple(),))
        cls.neg(t)
        return t

    @R.function(pure=False)
    def either(x: R.Tensor((4,), "float32"), c: T.bool):
        cls = Module
        t = R.copy(x)
        u = R.copy(x)
        if c:
            z = t
        else:
            z = u
        cls.neg(z)
        return t

    @R.function(pure=False)
    def twice(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.copy(x)
        cls.add(R.reshape(t, R.shape([2, 2])), t)
        return t

    @R.function(pure=False)
    def together(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.copy(x)
        u = R.copy(x)
        R.call_packed("keep", t, u, ty_args=(R.Tuple(),))
        cls.neg(t)
        return t

    @R.function(pure=False)
    def unknown(x: R.Tensor(ndim=1, dtype="float32")):
        t = R.copy(x)
        R.call_packed("sum", t, ty_args=(R.Tuple(),))
        return t

    @R.function(pure=False)
    def ended(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.copy(x)
        cls.neg(t)
        y = R.add(t, x)
        R.memory.kill_tensor(t)
        return y

    @R.function(pure=False)
    def with_parameter(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        t = R.copy(x)
        R.call_packed("both", t, x, ty_args=(R.Tuple(),))
        cls.neg(t)
        return (t, x)

    @R.function(pure=False)
    def with_parameter_first(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        t = R.copy(x)
        R.call_packed("both", x, t, ty_args=(R.Tuple(),))
        cls.neg(t)
        return (t, x)

    @R.function(pure=False)
    def tuple_of_branches(x: R.Tensor((4,), "float32"), c: T.bool):
        cls = Module
        t = R.copy(x)
        u = R.copy(x)
        if c:
            z = (t, u)
        else:
            cls.neg(u)
            z = (t, u)
        cls.neg(t)
        return (z, t)

    @R.function(pure=False)
    def other_shape(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.copy(x)
        v = R.call_packed("same", t, ty_args=(R.Tensor((2, 2), "float32"),))
        cls.neg(t)
        return (v, t)

    @R.function(pure=False)
    def tuple_given(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.copy(x)
        u = R.copy(x)
        R.call_packed("sum", (t, u), ty_args=(R.Tuple(),))
        cls.neg(t)
        return (t, u)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     I.module_attrs({"relax.contracts": {"both": {"mutates": [0, 1]}, "keep": {"mutates": [0], "retains": [1]}, "look": {"reads": [0]}, "same": {"aliases": [[0]], "mutates": [0]}, "sort": {"mutates": [1], "reads": [0]}, "sum": {"mutates": [0]}}})
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
#     def either(x: R.Tensor((4,), dtype="float32"), c: T.bool) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         if c:
#             z: R.Tensor((4,), dtype="float32") = t
#         else:
#             z: R.Tensor((4,), dtype="float32") = u
#         cls.neg(z)
#         return t
#
#     @R.function(pure=False)
#     def ended(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         cls.neg(t)
#         y: R.Tensor((4,), dtype="float32") = R.add(t, x)
#         R.memory.kill_tensor(t)
#         return y
#
#     @R.function(pure=False)
#     def held(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         cls.neg(t)
#         R.call_packed("no.contract", t, ty_args=(R.Tuple,))
#         cls.neg(t)
#         return t
#
#     @R.function(pure=False)
#     def other_shape(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         v: R.Tensor((2, 2), dtype="float32") = R.call_packed("same", t, ty_args=(R.Tensor((2, 2), dtype="float32"),))
#         cls.neg(t)
#         return (v, t)
#
#     @R.function(pure=False)
#     def parameter(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         cls.neg(x)
#         return x
#
#     @R.function(pure=False)
#     def together(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         R.call_packed("keep", t, u, ty_args=(R.Tuple,))
#         cls.neg(t)
#         return t
#
#     @R.function(pure=False)
#     def tuple_given(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         R.call_packed("sum", (t, u), ty_args=(R.Tuple,))
#         cls.neg(t)
#         return (t, u)
#
#     @R.function(pure=False)
#     def tuple_of_branches(x: R.Tensor((4,), dtype="float32"), c: T.bool) -> R.Tuple(R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")), R.Tensor((4,), dtype="float32")):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         u: R.Tensor((4,), dtype="float32") = R.copy(x)
#         if c:
#             z: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = t, u
#         else:
#             cls.neg(u)
#             z: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = t, u
#         cls.neg(t)
#         return (z, t)
#
#     @R.function(pure=False)
#     def twice(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         gv: R.Tensor((2, 2), dtype="float32") = R.reshape(t, R.shape([2, 2]))
#         cls.add(gv, t)
#         return t
#
#     @R.function(pure=False)
#     def unknown(x: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
#         t: R.Tensor(dtype="float32", ndim=1) = R.copy(x)
#         R.call_packed("sum", t, ty_args=(R.Tuple,))
#         return t
#
#     @R.function(pure=False)
#     def with_parameter(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         R.call_packed("both", t, x, ty_args=(R.Tuple,))
#         cls.neg(t)
#         return (t, x)
#
#     @R.function(pure=False)
#     def with_parameter_first(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
#         R.func_attr({"relax.inplace_arg": [0]})
#         cls = Module
#         t: R.Tensor((4,), dtype="float32") = R.copy(x)
#         R.call_packed("both", x, t, ty_args=(R.Tuple,))
#         cls.neg(t)
#         return (t, x)
# remark[E0398]: the call of `neg` stays a call for its effect: the caller of the function sees the write
#   --> functionalize-left.py:33:9
#    |
# 30 |     def parameter(x: R.Tensor((4,), "float32")):
#    |                   - because of this
# ...
# 33 |         cls.neg(x)
#    |         ^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: other code may hold the storage
#   --> functionalize-left.py:40:9
#    |
# 40 |         cls.neg(t)
#    |         ^^^^^^^^^^
# 41 |         R.call_packed("no.contract", t, ty_args=(R.Tuple(),))
#    |         ----------------------------------------------------- because of this
#
# remark[E0398]: the call of `neg` stays a call for its effect: other code may hold the storage
#   --> functionalize-left.py:42:9
#    |
# 41 |         R.call_packed("no.contract", t, ty_args=(R.Tuple(),))
#    |         ----------------------------------------------------- because of this
# 42 |         cls.neg(t)
#    |         ^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: what is written is in several storages, or no tensor
#   --> functionalize-left.py:54:9
#    |
# 54 |         cls.neg(z)
#    |         ^^^^^^^^^^
#
# remark[E0398]: the call of `add` stays a call for its effect: another argument of the call is the same storage
#   --> functionalize-left.py:61:9
#    |
# 61 |         cls.add(R.reshape(t, R.shape([2, 2])), t)
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0398]: the call of `keep` stays a call for its effect: the function keeps what it is given
#   --> functionalize-left.py:69:9
#    |
# 69 |         R.call_packed("keep", t, u, ty_args=(R.Tuple(),))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: the function keeps what it is given
#   --> functionalize-left.py:70:9
#    |
# 69 |         R.call_packed("keep", t, u, ty_args=(R.Tuple(),))
#    |         ------------------------------------------------- because of this
# 70 |         cls.neg(t)
#    |         ^^^^^^^^^^
#
# remark[E0398]: the call of `sum` stays a call for its effect: the shape or dtype of a name of it is not known
#   --> functionalize-left.py:76:9
#    |
# 75 |         t = R.copy(x)
#    |             --------- because of this
# 76 |         R.call_packed("sum", t, ty_args=(R.Tuple(),))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: a call may write it, or end it
#   --> functionalize-left.py:83:9
#    |
# 83 |         cls.neg(t)
#    |         ^^^^^^^^^^
# 84 |         y = R.add(t, x)
# 85 |         R.memory.kill_tensor(t)
#    |         ----------------------- because of this
#
# remark[E0398]: the call of `both` stays a call for its effect: the caller of the function sees the write
#   --> functionalize-left.py:93:9
#    |
# 89 |     def with_parameter(x: R.Tensor((4,), "float32")):
#    |                        - because of this
# ...
# 93 |         R.call_packed("both", t, x, ty_args=(R.Tuple(),))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: the caller of the function sees the write
#   --> functionalize-left.py:94:9
#    |
# 89 |     def with_parameter(x: R.Tensor((4,), "float32")):
#    |                        - because of this
# ...
# 94 |         cls.neg(t)
#    |         ^^^^^^^^^^
#
# remark[E0398]: the call of `both` stays a call for its effect: the caller of the function sees the write
#    --> functionalize-left.py:102:9
#     |
#  98 |     def with_parameter_first(x: R.Tensor((4,), "float32")):
#     |                              - because of this
# ...
# 102 |         R.call_packed("both", x, t, ty_args=(R.Tuple(),))
#     |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: the caller of the function sees the write
#    --> functionalize-left.py:103:9
#     |
#  98 |     def with_parameter_first(x: R.Tensor((4,), "float32")):
#     |                              - because of this
# ...
# 103 |         cls.neg(t)
#     |         ^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: a value is a part of the storage, or may be
#    --> functionalize-left.py:114:13
#     |
# 112 |             z = (t, u)
#     |             - because of this
# 113 |         else:
# 114 |             cls.neg(u)
#     |             ^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: a value is a part of the storage, or may be
#    --> functionalize-left.py:116:9
#     |
# 112 |             z = (t, u)
#     |             - because of this
# ...
# 116 |         cls.neg(t)
#     |         ^^^^^^^^^^
#
# remark[E0398]: the call of `same` stays a call for its effect: a value is a part of the storage, or may be
#    --> functionalize-left.py:123:13
#     |
# 123 |         v = R.call_packed("same", t, ty_args=(R.Tensor((2, 2), "float32"),))
#     |         -   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#     |         |
#     |         because of this
#
# remark[E0398]: the call of `neg` stays a call for its effect: a value is a part of the storage, or may be
#    --> functionalize-left.py:124:9
#     |
# 123 |         v = R.call_packed("same", t, ty_args=(R.Tensor((2, 2), "float32"),))
#     |         - because of this
# 124 |         cls.neg(t)
#     |         ^^^^^^^^^^
#
# remark[E0398]: the call of `sum` stays a call for its effect: what is written is in several storages, or no tensor
#    --> functionalize-left.py:132:9
#     |
# 132 |         R.call_packed("sum", (t, u), ty_args=(R.Tuple(),))
#     |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# remark[E0398]: the call of `neg` stays a call for its effect: what is written is in several storages, or no tensor
#    --> functionalize-left.py:133:9
#     |
# 132 |         R.call_packed("sum", (t, u), ty_args=(R.Tuple(),))
#     |         -------------------------------------------------- because of this
# 133 |         cls.neg(t)
#     |         ^^^^^^^^^^
#
