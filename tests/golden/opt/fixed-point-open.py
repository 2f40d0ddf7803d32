# FAIL: opt -p 'fix(LegalizeOps'
# A parenthesis that does not end is shown in its place.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        a = R.exp(x)
        b = a
        c = R.exp(b)
        d = R.exp(a)
        e = R.add(c, d)
        return e
# OUT:
# error[E0902]: cannot read the pipeline: expected `,` or `)`
#  --> <passes>:1:16
#   |
# 1 | fix(LegalizeOps
#   |                ^
#
