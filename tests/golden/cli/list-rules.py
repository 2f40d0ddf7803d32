# FAIL: opt -p SimplifyGraph(rules=maximum_of_both)
# A rule that does not exist: which is near, and where all stand.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
# OUT:
# error[E0909]: option `rules` of pass `SimplifyGraph` names no rewrite rule `maximum_of_both`
#  --> <passes>:1:1
#   |
# 1 | SimplifyGraph(rules=maximum_of_both)
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: there is `maximum_of_itself`; `inlay list rules` shows all
#
