# RUN: why -p LegalizeOps,ElideConcat,ResolveInplace
# Pieces that are put back are views.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 4), "float32"), b: R.Tensor((6,), "float32")):
        with R.dataflow():
            e = R.negative(a)
            s = R.split(e, 2, axis=1)
            same = R.concat((s[0], s[1]), axis=1)
            t = R.split(R.abs(a), 2, axis=1)
            swapped = R.concat((t[1], t[0]), axis=1)
            u = R.split(R.negative(b), 3)
            ends = R.concat((u[0], u[2]))
            middle = u[1]
            R.output(same, swapped, ends, middle)
        return (same, swapped, ends, middle)

# OUT:
# remark[E0392]: `s[0]` is view: `s[0]` is put back to where it was cut out
#   --> elide-concat-split-why.py:15:20
#    |
# 15 |             same = R.concat((s[0], s[1]), axis=1)
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, n * 8 bytes
#
# remark[E0392]: `s[1]` is view: `s[1]` is put back to where it was cut out
#   --> elide-concat-split-why.py:15:20
#    |
# 15 |             same = R.concat((s[0], s[1]), axis=1)
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, n * 8 bytes
#
# remark[E0390]: `swapped_dest` is updated in place: every condition holds
#   --> elide-concat-split-why.py:16:17
#    |
# 16 |             t = R.split(R.abs(a), 2, axis=1)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, n * 16 bytes
#
# remark[E0392]: `t[1]` is elided: what makes `t[1]` writes it to where the call would copy it
#   --> elide-concat-split-why.py:17:23
#    |
# 17 |             swapped = R.concat((t[1], t[0]), axis=1)
#    |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, n * 8 bytes
#
# remark[E0392]: `t[0]` is elided: what makes `t[0]` writes it to where the call would copy it
#   --> elide-concat-split-why.py:17:23
#    |
# 17 |             swapped = R.concat((t[1], t[0]), axis=1)
#    |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, n * 8 bytes
#
# remark[E0390]: `ends_dest` is updated in place: every condition holds
#   --> elide-concat-split-why.py:18:17
#    |
# 18 |             u = R.split(R.negative(b), 3)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0392]: `u[0]` is elided: what makes `u[0]` writes it to where the call would copy it
#   --> elide-concat-split-why.py:19:20
#    |
# 19 |             ends = R.concat((u[0], u[2]))
#    |                    ^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 8 bytes
#
# remark[E0392]: `u[2]` is elided: what makes `u[2]` writes it to where the call would copy it
#   --> elide-concat-split-why.py:19:20
#    |
# 19 |             ends = R.concat((u[0], u[2]))
#    |                    ^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 8 bytes
#
# in-place: 2, view: 2, elided: 4
# saved: n * 32 + 16 bytes, missed: 0 bytes
