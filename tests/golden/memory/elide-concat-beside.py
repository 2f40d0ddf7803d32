# RUN: why -p LegalizeOps,ElideConcat,ResolveInplace
# A product that reads one part of the result and is added up in another could not be blocked: what it reads is copied.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 2), "float32"), w: R.Tensor((2, 2), "float32")):
        with R.dataflow():
            p = R.matmul(a, w)
            q = R.matmul(p, w)
            r = R.concat((p, q), axis=1)
            R.output(r)
        return r
# OUT:
# remark[E0391]: `p` is copied before the call: the value is read by something that cannot read it out of a larger tensor
#   --> elide-concat-beside.py:14:17
#    |
# 14 |             r = R.concat((p, q), axis=1)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP022 in `main`: output 0 in argument 0, 16 bytes
#
# remark[E0390]: `r_dest` is updated in place: every condition holds
#   --> elide-concat-beside.py:13:17
#    |
# 13 |             q = R.matmul(p, w)
#    |                 ^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 2, 32 bytes
#
# remark[E0392]: `q` is elided: what makes `q` writes it to where the call would copy it
#   --> elide-concat-beside.py:14:17
#    |
# 14 |             r = R.concat((p, q), axis=1)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0390]: `q` is updated in place: every condition holds
#   --> elide-concat-beside.py:14:17
#    |
# 14 |             r = R.concat((p, q), axis=1)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 1, 32 bytes
#
# in-place: 2, copy: 1, elided: 1
# saved: 48 bytes, missed: 16 bytes
# missed by IP022, the value is read by something that cannot read it out of a larger tensor: 1, 16 bytes
