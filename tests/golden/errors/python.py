# FAIL: check
# Python that is no TVMScript is refused by its name.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        y = [R.add(x, x) for i in range(3)]
        z = lambda a: a
        return x


try:
    pass
except ValueError:
    pass
# OUT:
# error[E0122]: comprehensions are not part of TVMScript
#   --> python.py:12:26
#    |
# 12 |         y = [R.add(x, x) for i in range(3)]
#    |                          ^^^
#    |
#    = help: write the elements out
#
# error[E0123]: a lambda may only stand for an index map
#   --> python.py:13:13
#    |
# 13 |         z = lambda a: a
#    |             ^^^^^^
#    |
#    = note: index maps are written T.index_map(lambda i, j: (j, i))
#
# error[E0126]: exceptions are not part of TVMScript: `try`
#   --> python.py:17:1
#    |
# 17 | try:
#    | ^^^
#
