# FAIL: opt -p debug --skip DeadCode,LegalizeOps --print-after=legalize --print-before=default
# Names in --skip and --print-* must be passes.
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
# error[E0911]: there is no pass `DeadCode`
#   = help: near to it: `DeadCodeElimination`
#   = help: `inlay list passes` shows all names
#
# error[E0911]: there is no pass `default`
#   = help: `inlay list passes` shows all names
#
# error[E0911]: there is no pass `legalize`
#   = help: near to it: `LegalizeOps`
#   = help: `inlay list passes` shows all names
#
