# RUN: why --all -p ResolveInplace
# What contracts allow and what they do not: a look is a read, one at the type alone is none; what is kept or shown is not ours.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {
        "look": {"reads": [0]},
        "shape": {"reads": []},
        "keep": {"reads": [0, 1], "retains": [1]},
        "show": {"reads": [0], "aliases": [[0]]},
        "found": {"reads": [], "aliases": [None]},
        "double": {"mutates": [0]},
    }})

    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(0) - a[v_i]

    @R.function(pure=False)
    def looks(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        y = R.call_pure_packed("look", t, ty_args=(R.Tensor((4,), "float32"),))
        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.neg, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (a, b)

    @R.function(pure=False)
    def later(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        R.call_packed("look", t, ty_args=(R.Tuple(),))
        u = R.exp(x)
        b = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        R.call_packed("shape", u, ty_args=(R.Tuple(),))
        return (a, b)

    @R.function(pure=False)
    def kept(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        u = R.exp(x)
        R.call_packed("keep", t, u, ty_args=(R.Tuple(),))
        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.call_packed("found", ty_args=(R.Tensor((4,), "float32"),))
        d = R.call_tir_inplace(cls.neg, (c,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (a, b, d)

    @R.function(pure=False)
    def shown(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        y = R.call_pure_packed("show", t, ty_args=(R.Tensor((4,), "float32"),))
        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (a, y)

    @R.function
    def updated(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        a = R.call_inplace_packed("double", t, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
        b = R.call_inplace_packed("double", a, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
        c = R.call_inplace_packed("no.contract", b, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
        d = R.call_inplace_packed("double", c, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
        return (a, d)
# OUT:
# remark[E0397]: the call runs out of place, without a copy of `t`: `t` is read after the call, on line 40
#   --> contracts.py:39:13
#    |
# 39 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 40 |         R.call_packed("look", t, ty_args=(R.Tuple(),))
#    |         ---------------------------------------------- read here, after the update
#    |
#    = note: IP001 in `later`: output 0 in argument 0, 16 bytes
#    = help: move the read in front of the update, or keep the new storage (16 bytes per run)
#
# remark[E0397]: the call runs out of place, without a copy of `u`: the contract of `keep` lets it keep the storage
#   --> contracts.py:53:13
#    |
# 51 |         R.call_packed("keep", t, u, ty_args=(R.Tuple(),))
#    |         ------------------------------------------------- opaque code is given the storage here
# 52 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
# 53 |         b = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP006 in `kept`: output 0 in argument 0, 16 bytes
#
# remark[E0397]: the call runs out of place, without a copy of `c`: the contract of `found` lets it return storage that others hold
#   --> contracts.py:55:13
#    |
# 54 |         c = R.call_packed("found", ty_args=(R.Tensor((4,), "float32"),))
#    |         - opaque code made the storage here
# 55 |         d = R.call_tir_inplace(cls.neg, (c,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP006 in `kept`: output 0 in argument 0, 16 bytes
#
# remark[E0397]: the call runs out of place, without a copy of `t`: `y` is part of the function's result, so its old value must survive
#   --> contracts.py:63:13
#    |
# 62 |         y = R.call_pure_packed("show", t, ty_args=(R.Tensor((4,), "float32"),))
#    |         - `y` may live in the same storage
# 63 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 64 |         return (a, y)
#    |         ------------- returned here
#    |
#    = note: IP003 in `shown`: output 0 in argument 0, 16 bytes
#    = help: return the updated value only, or keep the new storage (16 bytes per run)
#
# remark[E0391]: `a` is copied before the call: `a` is part of the function's result, so its old value must survive
#   --> contracts.py:71:13
#    |
# 71 |         b = R.call_inplace_packed("double", a, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# ...
# 74 |         return (a, d)
#    |         ------------- returned here
#    |
#    = note: IP003 in `updated`: output 0 in argument 0, 16 bytes
#    = help: return the updated value only, or keep the copy (16 bytes per run)
#
# remark[E0391]: `c` is copied before the call: `no.contract` has no contract, so it may have returned storage that others hold
#   --> contracts.py:73:13
#    |
# 72 |         c = R.call_inplace_packed("no.contract", b, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |         - opaque code made the storage here
# 73 |         d = R.call_inplace_packed("double", c, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP006 in `updated`: output 0 in argument 0, 16 bytes
#    = help: say what it does, if that is all: I.module_attrs({"relax.contracts": {"no.contract": {"reads": [0], "mutates": [0]}}}); or keep the copy (16 bytes per run)
#
# remark[E0390]: `t` is updated in place: every condition holds
#   --> contracts.py:31:13
#    |
# 31 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `looks`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `y` is updated in place: every condition holds
#   --> contracts.py:32:13
#    |
# 32 |         b = R.call_tir_inplace(cls.neg, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `looks`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `u` is updated in place: every condition holds
#   --> contracts.py:42:13
#    |
# 42 |         b = R.call_tir_inplace(cls.neg, (u,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `later`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `t` is updated in place: every condition holds
#   --> contracts.py:52:13
#    |
# 52 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `kept`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `t` is updated in place: every condition holds
#   --> contracts.py:70:13
#    |
# 70 |         a = R.call_inplace_packed("double", t, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `updated`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `b` is updated in place: every condition holds
#   --> contracts.py:72:13
#    |
# 72 |         c = R.call_inplace_packed("no.contract", b, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `updated`: output 0 in argument 0, 16 bytes
#
# in-place: 6, copy: 2, fresh: 4
# saved: 96 bytes, missed: 96 bytes
# missed by IP006, an opaque function may have kept the storage, or made it: 3, 48 bytes
# missed by IP003, the argument, or an alias of it, is part of the function's result: 2, 32 bytes
# missed by IP001, the argument is read after the call: 1, 16 bytes
