# FAIL: opt -p 'DecomposeOpsForTraining(function=mian)'
# A function that does not exist.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x
# OUT:
# error[E0921]: pass `DecomposeOpsForTraining`: the module has no Relax function `mian`
#  --> <passes>:1:1
#   |
# 1 | DecomposeOpsForTraining(function=mian)
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
