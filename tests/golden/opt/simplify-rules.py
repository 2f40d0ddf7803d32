# FAIL: opt -p 'SimplifyGraph(rules="multiply_by_one,reshape_of_reshap")'
# A rule that does not exist.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# OUT:
# error[E0909]: option `rules` of pass `SimplifyGraph` names no rewrite rule `reshape_of_reshap`
#  --> <passes>:1:1
#   |
# 1 | SimplifyGraph(rules="multiply_by_one,reshape_of_reshap")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: there is `reshape_of_reshape`; `inlay list rules` shows all
#
