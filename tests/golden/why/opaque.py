# RUN: why
# What a packed function was given it may keep; what it returns it may have kept.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(0) - a[v_i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.exp(x)
        y = R.call_pure_packed("library.look", t, ty_args=(R.Tensor((4,), "float32"),))
        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.neg, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return (a, b)
# OUT:
# remark[E0394]: `t` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> opaque.py:20:13
#    |
# 18 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# 19 |         cls = Module
# 20 |         t = R.exp(x)
#    |             ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0397]: the call runs out of place, without a copy of `t`: `library.look` has no contract, so it may have kept the storage
#   --> opaque.py:22:13
#    |
# 21 |         y = R.call_pure_packed("library.look", t, ty_args=(R.Tensor((4,), "float32"),))
#    |             --------------------------------------------------------------------------- opaque code is given the storage here
# 22 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP006 in `main`: output 0 in argument 0, 16 bytes
#    = help: say what it does, if that is all: I.module_attrs({"relax.contracts": {"library.look": {"reads": [0]}}}); or keep the new storage (16 bytes per run)
#
# remark[E0397]: the call runs out of place, without a copy of `y`: `library.look` has no contract, so it may have returned storage that others hold
#   --> opaque.py:23:13
#    |
# 21 |         y = R.call_pure_packed("library.look", t, ty_args=(R.Tensor((4,), "float32"),))
#    |         - opaque code made the storage here
# 22 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
# 23 |         b = R.call_tir_inplace(cls.neg, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP006 in `main`: output 0 in argument 0, 16 bytes
#    = help: say what it does, if that is all: I.module_attrs({"relax.contracts": {"library.look": {"reads": [0]}}}); or keep the new storage (16 bytes per run)
#
# fresh: 3
# saved: 0 bytes, missed: 48 bytes
# missed by IP006, an opaque function may have kept the storage, or made it: 2, 32 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
# what-if: donate `x` of `main`: 16 bytes
