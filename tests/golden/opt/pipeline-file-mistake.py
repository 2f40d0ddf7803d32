# FAIL: opt -p @mistake.txt
# A mistake in a file of passes is shown in its place.
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
# error[E0901]: there is no pass or pipeline `Fold`
#  --> mistake.txt:3:5
#   |
# 3 |     Fold)
#   |     ^^^^
#   |
#   = help: near to it: `FoldConstant`
#   = help: `inlay list passes` and `inlay list pipelines` show all names
#
