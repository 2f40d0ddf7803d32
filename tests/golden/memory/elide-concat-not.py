# RUN: why --all -p LegalizeOps,ElideConcat,ResolveInplace
# What is copied into a concatenation, and why.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shift(x: T.Buffer((4,), "float32"), k: T.int64, out: T.Buffer((4,), "float32")):
        for i in range(T.int64(4)):
            out[i + k] = x[i]

    @T.prim_func(private=True)
    def inc(x: T.Buffer((8,), "float32")):
        for i in range(T.int64(8)):
            x[i] = x[i] + T.float32(1)

    @R.function
    def main(a: R.Tensor((4,), "float32"), k: R.Prim("int64")):
        k = T.int64()
        cls = Module
        with R.dataflow():
            p = R.negative(a)
            twice = R.concat((p, p))
            q = R.abs(a)
            two = R.concat((q, a))
            more = R.concat((a, q, R.const([1.0, 2.0], "float32")))
            returned = R.add(a, a)
            three = R.concat((returned, a))
            out = R.call_tir(cls.shift, (a, k), out_ty=R.Tensor((4,), "float32"))
            four = R.concat((out, a))
            s = R.multiply(a, a)
            t = R.subtract(a, a)
            side = R.stack((s, t), axis=1)
            u = R.exp(a)
            five = R.concat((u, a))
            changed = R.call_tir_inplace(cls.inc, (five,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
            late = R.negative(u)
            R.output(twice, two, more, returned, three, four, side, changed, late)
        return (twice, two, more, returned, three, four, side, changed, late)

# OUT:
# remark[E0391]: `p` is copied before the call: the value is a part of another tensor already
#   --> elide-concat-not.py:26:21
#    |
# 26 |             twice = R.concat((p, p))
#    |                     ^^^^^^^^^^^^^^^^
#    |
#    = note: IP020 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `q` is copied before the call: the value is a part of another tensor already
#   --> elide-concat-not.py:28:19
#    |
# 28 |             two = R.concat((q, a))
#    |                   ^^^^^^^^^^^^^^^^
#    |
#    = note: IP020 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0391]: `a` is copied before the call: the storage of `a` belongs to the caller of the function
#   --> elide-concat-not.py:28:19
#    |
# 28 |             two = R.concat((q, a))
#    |                   ^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `a` is copied before the call: the storage of `a` belongs to the caller of the function
#   --> elide-concat-not.py:29:20
#    |
# 29 |             more = R.concat((a, q, R.const([1.0, 2.0], "float32")))
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0391]: `returned` is copied before the call: `returned` is part of the function's result, so its old value must survive
#   --> elide-concat-not.py:31:21
#    |
# 31 |             three = R.concat((returned, a))
#    |                     ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP003 in `main`: output 0 in argument 0, 16 bytes
#    = help: return the updated value only, or keep the copy (16 bytes per run)
#
# remark[E0391]: `a` is copied before the call: the storage of `a` belongs to the caller of the function
#   --> elide-concat-not.py:31:21
#    |
# 31 |             three = R.concat((returned, a))
#    |                     ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `out` is copied before the call: what makes the value cannot write it into a part of a larger tensor
#   --> elide-concat-not.py:33:20
#    |
# 33 |             four = R.concat((out, a))
#    |                    ^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP021 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0391]: `a` is copied before the call: the storage of `a` belongs to the caller of the function
#   --> elide-concat-not.py:33:20
#    |
# 33 |             four = R.concat((out, a))
#    |                    ^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `u` is copied before the call: the value is read by something that cannot read it out of a larger tensor
#   --> elide-concat-not.py:38:20
#    |
# 38 |             five = R.concat((u, a))
#    |                    ^^^^^^^^^^^^^^^^
#    |
#    = note: IP022 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0391]: `a` is copied before the call: the storage of `a` belongs to the caller of the function
#   --> elide-concat-not.py:38:20
#    |
# 38 |             five = R.concat((u, a))
#    |                    ^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `constant (2,) float32` is copied before the call: the storage is a constant of the module
#   --> elide-concat-not.py:29:20
#    |
# 29 |             more = R.concat((a, q, R.const([1.0, 2.0], "float32")))
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP005 in `main`: output 0 in argument 2, 8 bytes
#
# remark[E0390]: `twice_dest` is updated in place: every condition holds
#   --> elide-concat-not.py:25:17
#    |
# 25 |             p = R.negative(a)
#    |                 ^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 32 bytes
#
# remark[E0392]: `p` is elided: what makes `p` writes it to where the call would copy it
#   --> elide-concat-not.py:26:21
#    |
# 26 |             twice = R.concat((p, p))
#    |                     ^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `p` is updated in place: every condition holds
#   --> elide-concat-not.py:26:21
#    |
# 26 |             twice = R.concat((p, p))
#    |                     ^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 32 bytes
#
# remark[E0390]: `more_dest` is updated in place: every condition holds
#   --> elide-concat-not.py:27:17
#    |
# 27 |             q = R.abs(a)
#    |                 ^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 40 bytes
#
# remark[E0392]: `q` is elided: what makes `q` writes it to where the call would copy it
#   --> elide-concat-not.py:29:20
#    |
# 29 |             more = R.concat((a, q, R.const([1.0, 2.0], "float32")))
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0390]: `q` is updated in place: every condition holds
#   --> elide-concat-not.py:29:20
#    |
# 29 |             more = R.concat((a, q, R.const([1.0, 2.0], "float32")))
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 2, 40 bytes
#
# remark[E0390]: `side_dest` is updated in place: every condition holds
#   --> elide-concat-not.py:34:17
#    |
# 34 |             s = R.multiply(a, a)
#    |                 ^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 2, 32 bytes
#
# remark[E0390]: `s` is updated in place: every condition holds
#   --> elide-concat-not.py:35:17
#    |
# 35 |             t = R.subtract(a, a)
#    |                 ^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 2, 32 bytes
#
# remark[E0392]: `s` is elided: what makes `s` writes it to where the call would copy it
#   --> elide-concat-not.py:36:20
#    |
# 36 |             side = R.stack((s, t), axis=1)
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0392]: `t` is elided: what makes `t` writes it to where the call would copy it
#   --> elide-concat-not.py:36:20
#    |
# 36 |             side = R.stack((s, t), axis=1)
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0390]: `five` is updated in place: every condition holds
#   --> elide-concat-not.py:39:23
#    |
# 39 |             changed = R.call_tir_inplace(cls.inc, (five,), out_ty=R.Tensor((8,), "float32"), inplace_indices=[0])
#    |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 32 bytes
#
# in-place: 7, copy: 11, elided: 4
# saved: 200 bytes, missed: 168 bytes
# missed by IP004, the storage belongs to the caller: 5, 80 bytes
# missed by IP020, the value is a part of another tensor already: 2, 32 bytes
# missed by IP003, the argument, or an alias of it, is part of the function's result: 1, 16 bytes
# missed by IP021, what makes the value cannot write it into a part of a larger tensor: 1, 16 bytes
# missed by IP022, the value is read by something that cannot read it out of a larger tensor: 1, 16 bytes
# missed by IP005, the storage is a constant of the module: 1, 8 bytes
