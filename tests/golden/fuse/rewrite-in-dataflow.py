# FAIL: opt -p LegalizeOps,ResolveInplace,CallTIRRewrite
# Calls for their effect have no place in dataflow blocks.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            a = R.exp(x)
            R.output(a)
        return a
# OUT:
# error[E0905]: `CallTIRRewrite` needs a module that is plain: pass `ToNonDataflow` is missing or comes too late
#  --> <passes>:1:28
#   |
# 1 | LegalizeOps,ResolveInplace,CallTIRRewrite
#   |                            ^^^^^^^^^^^^^^
#   |
#   = note: `main` has a dataflow block
#   = help: put `ToNonDataflow` in front of it in the pipeline
#
