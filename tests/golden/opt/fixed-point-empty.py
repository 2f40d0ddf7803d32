# FAIL: opt -p 'fix(limit=9)'
# A fixed point needs passes.
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
# error[E0902]: cannot read the pipeline: `fix` of nothing
#  --> <passes>:1:13
#   |
# 1 | fix(limit=9)
#   |             ^
#
