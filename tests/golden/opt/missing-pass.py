# FAIL: run -p DeadCodeElimination
# Code generation says which pass is missing, and shows an op that stands against it.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y
# OUT:
# error[E0905]: `code generation` needs a module that is lowered: pass `LegalizeOps` is missing or comes too late
#   = note: `R.exp` on line 11 has loops that are not written out yet
#   = help: put `LegalizeOps` in front of it in the pipeline
#
