# FAIL: opt -p 'LegalizeOps(mode="a, b)\" c", flag=true)'
# Quoted text may hold commas, parentheses and quotes; the option itself is unknown.
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
# error[E0904]: pass `LegalizeOps` has no option `mode`
#  --> <passes>:1:13
#   |
# 1 | LegalizeOps(mode="a, b)\" c", flag=true)
#   |             ^^^^
#   |
#   = help: it has no options
#
