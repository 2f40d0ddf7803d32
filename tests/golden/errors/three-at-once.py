# FAIL: check
# All mistakes of a script are reported, each with its place.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        a = R.add(x, missing)
        b = R.reluu(x)
        c = R.reshape(x, (2, 3)
        return x
# OUT:
# error[E0201]: name `missing` is not defined in TVMScript
#   --> three-at-once.py:12:22
#    |
# 12 |         a = R.add(x, missing)
#    |                      ^^^^^^^
#    |
#    = help: a function knows its parameters, what it binds, and constants in front of the module (`missing = 16`)
#
# error[E0650]: there is no operator `R.reluu`
#   --> three-at-once.py:13:13
#    |
# 13 |         b = R.reluu(x)
#    |             ^^^^^^^
#    |
# help: did you mean `R.nn.relu`?
#    |
# 13 |         b = R.nn.relu(x)
#    |               ~~~~~~
#
# error[E0105]: `(` is never closed
#   --> three-at-once.py:14:22
#    |
# 14 |         c = R.reshape(x, (2, 3)
#    |                      ^
#    |
# help: close it with `)`
#    |
# 14 |         c = R.reshape(x, (2, 3))
#    |                                +
#
