# FAIL: check
# What follows from a mistake is not told as another one.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    def even(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((8,), "float32"):
        cls = Module
        h += cls.even(x)
        y = cls.even(h)
        if c:
            g = R.exp(x)
            r = R.add(g++)
        else:
            r = x
        return r
# OUT:
# error[E0153]: function `even` needs @R.function
#  --> one-message-each.py:8:9
#   |
# 8 |     def even(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
#   |         ^^^^
#   |
# help: write `@R.function`
#   |
# 8 |     @R.function
#   |     +++++++++++
# 9 |     def even(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
#   | ++++
#
# error[E0565]: an assignment with an operator is no statement of a Relax function
#   --> one-message-each.py:14:9
#    |
# 14 |         h += cls.even(x)
#    |         ^^^^^^^^^^^^^^^^
#    |
# help: write it out: `x = x + y`
#    |
# 14 |         h = h + cls.even(x)
#    |           ~~~~~
#
# error[E0101]: expected an expression, found `++`
#   --> one-message-each.py:18:24
#    |
# 18 |             r = R.add(g++)
#    |                        ^^
#    |
# help: there is no `++`
#    |
# 18 |             r = R.add(g + 1)
#    |                        ~~~~
#
