# RUN: why -p ResolveInplace
# A nested function keeps what it captures, so the storage may be read whenever it is called; what it captures is
# borrowed from the function around it.
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
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        t = R.exp(x)

        @R.function
        def inner(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            v = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            w = R.add(z, v)
            return w

        a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = inner(a)
        return b
# OUT:
# remark[E0397]: the call runs out of place, without a copy of `t`: the storage of `t` belongs to the function around this one
#   --> closure.py:25:17
#    |
# 21 |         t = R.exp(x)
#    |         - a value of the function around
# ...
# 25 |             v = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `inner`: output 0 in argument 0, 16 bytes
#
# remark[E0397]: the call runs out of place, without a copy of `t`: an opaque function may have kept the storage, or made it
#   --> closure.py:29:13
#    |
# 24 |         def inner(z: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#    |         -------------------------------------------------------------------- a nested function captures the storage here
# ...
# 29 |         a = R.call_tir_inplace(cls.neg, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP006 in `main`: output 0 in argument 0, 16 bytes
#
# fresh: 2
# saved: 0 bytes, missed: 32 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
# missed by IP006, an opaque function may have kept the storage, or made it: 1, 16 bytes
