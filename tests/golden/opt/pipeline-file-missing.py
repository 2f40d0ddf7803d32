# FAIL: opt -p @none.txt
# A file of passes that cannot be read.
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
# error[E0701]: `none.txt` cannot be read: No such file or directory
#  --> <passes>:1:1
#   |
# 1 | @none.txt
#   | ^^^^^^^^^
#
