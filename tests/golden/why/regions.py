# FAIL: check --inplace=strict
# Which bytes stand against an update: `w` shows the last element of `v`, `rest` the upper half of `low`.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def neg(a: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            a[i] = T.float32(0) - a[i]

    @R.function
    def main(x: R.Tensor((8,), "float32"), y: R.Tensor(("n * 2",), "float32"), z: R.Tensor(("n",), "float32")):
        cls = Module
        n = T.int64()
        t = R.exp(x)
        v = R.memory.view(t, R.shape([4]), "float32", 0)
        w = R.memory.view(t, R.shape([4]), "float32", 12)
        a = R.call_tir_inplace(cls.neg, (v,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.multiply(w, w)
        u = R.exp(y)
        low = R.memory.view(u, R.shape([n * 2]), "float32", 0)
        rest = R.memory.view(u, R.shape([n]), "float32", n * 4)
        c = R.call_tir_inplace(cls.neg, (low,), out_ty=R.Tensor((n * 2,), "float32"), inplace_indices=[0])
        return (a, b, c, rest)
# OUT:
# error[E0301]: `v` cannot be updated in place: `w` lives in the storage of `v` (bytes 12 to 16 of `v`) and is read after the call, on line 24
#   --> regions.py:23:13
#    |
# 22 |         w = R.memory.view(t, R.shape([4]), "float32", 12)
#    |         - `w` is a view of the same storage
# 23 |         a = R.call_tir_inplace(cls.neg, (v,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ output 0 is to take the storage of `v`
# 24 |         b = R.multiply(w, w)
#    |             ---------------- read here through `w`
#    |
#    = note: another name of the same storage is read after the call [IP002]; --inplace=strict allows no copy
#    = help: give `w` storage of its own: R.copy(..) (16 bytes per run)
#
# error[E0301]: `low` cannot be updated in place: `rest` is part of the function's result, so its old value (bytes n * 4 to n * 8 of `low`) must survive
#   --> regions.py:28:13
#    |
# 27 |         rest = R.memory.view(u, R.shape([n]), "float32", n * 4)
#    |         ---- `rest` is a view of the same storage
# 28 |         c = R.call_tir_inplace(cls.neg, (low,), out_ty=R.Tensor((n * 2,), "float32"), inplace_indices=[0])
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ output 0 is to take the storage of `low`
# 29 |         return (a, b, c, rest)
#    |         ---------------------- returned here
#    |
#    = note: the argument, or an alias of it, is part of the function's result [IP003]; --inplace=strict allows no copy
#    = help: return the updated value only, or keep the copy (n * 8 bytes per run)
#
