# FAIL: check
# Symbols of a kernel are one number each: what is provably another is an error, the rest is checked later.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def both(va: T.handle, vb: T.handle, vc: T.handle):
        n = T.int64()
        a = T.match_buffer(va, (n,), "float32")
        b = T.match_buffer(vb, (n,), "float32")
        c = T.match_buffer(vc, (n * 2,), "float32")
        for i in range(n):
            with T.sblock("both"):
                v_i = T.axis.spatial(n, i)
                c[v_i] = a[v_i]
                c[v_i + n] = b[v_i]

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32"), z: R.Tensor(("n + 1",), "float32")) -> R.Tensor(("n * 2",), "float32"):
        n = T.int64()
        m = T.int64()
        cls = Module
        a = R.call_tir(cls.both, (x, x), out_ty=R.Tensor((n + n,), "float32"))
        b = R.call_tir(cls.both, (x, y), out_ty=R.Tensor((n * 2,), "float32"))
        c = R.call_tir(cls.both, (x, z), out_ty=R.Tensor((n * 2,), "float32"))
        d = R.call_tir(cls.both, (x, x), out_ty=R.Tensor((n * 2 + 1,), "float32"))
        return a
# OUT:
# error[E0513]: argument 2 of `both` is R.Tensor((n + 1,), dtype="float32"), but parameter `b` is T.Buffer((n,), "float32")
#   --> kernel-symbols.py:28:38
#    |
# 13 |         b = T.match_buffer(vb, (n,), "float32")
#    |         - the parameter
# ...
# 28 |         c = R.call_tir(cls.both, (x, z), out_ty=R.Tensor((n * 2,), "float32"))
#    |                                   -  ^
#    |                                   |
#    |                                   with this, `n` of the kernel is n
#    |
#    = note: dimension 0 differs
# help: let `z` be `R.Tensor((n,), "float32")`
#    |
# 22 |     def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32"), z: R.Tensor((n,), "float32")) -> R.Tensor(("n * 2",), "float32"):
#    |                                                                                           ~
#
# error[E0513]: output 1 of `both` is R.Tensor((n * 2 + 1,), dtype="float32"), but parameter `c` is T.Buffer((n * T.int64(2),), "float32")
#   --> kernel-symbols.py:29:49
#    |
# 14 |         c = T.match_buffer(vc, (n * 2,), "float32")
#    |         - the parameter
# ...
# 29 |         d = R.call_tir(cls.both, (x, x), out_ty=R.Tensor((n * 2 + 1,), "float32"))
#    |                                   -             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                                   |
#    |                                   with this, `n` of the kernel is n
#    |
# help: the kernel makes `R.Tensor((n * 2,), "float32")`
#    |
# 29 |         d = R.call_tir(cls.both, (x, x), out_ty=R.Tensor((n * 2 + 1,), "float32"))
#    |                                                                ----
#    = note: dimension 0 differs
#
