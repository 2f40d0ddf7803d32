# FAIL: opt -p LegalizeOps,FuseOps
# Without patterns FuseOps would find nothing; the message names the pass that is missing.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return R.exp(R.abs(x))
# OUT:
# error[E0905]: `FuseOps` needs a module that is annotated: pass `AnnotateTIROpPattern` is missing or comes too late
#  --> <passes>:1:13
#   |
# 1 | LegalizeOps,FuseOps
#   |             ^^^^^^^
#   |
#   = note: kernel `tir_abs` does not have the attribute `op_pattern`
#   = help: put `AnnotateTIROpPattern` in front of it in the pipeline
#
