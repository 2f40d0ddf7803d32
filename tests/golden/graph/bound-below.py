# FAIL: check
# A name that is read in front of the line that binds it: moved, where that line reads nothing that stands between.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def moved(x: R.Tensor((4,), "float32")):
        y = R.abs(e)
        z = R.add(y, x)
        e = R.exp(
            x
        )
        return R.add(z, e)

    @R.function
    def needs_it(x: R.Tensor((4,), "float32")):
        y = R.abs(e)
        e = R.exp(y)
        return e

    @R.function
    def branch(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        y = R.abs(e)
        if c:
            e = R.exp(x)
        else:
            e = R.sin(x)
        return R.add(y, e)

    @R.function
    def unknown(x: R.Tensor((4,), "float32")):
        y = R.abs(e)
        e = R.exp(q)
        return R.add(y, e)
# OUT:
# error[E0206]: `e` is read before it is bound
#   --> bound-below.py:10:19
#    |
# 10 |         y = R.abs(e)
#    |                   ^
# 11 |         z = R.add(y, x)
# 12 |         e = R.exp(
#    |         - bound below, on line 12
#    |
#    = help: a name is known behind the statement that binds it
# help: move line 12 in front of it
#    |
# 10 |         e = R.exp(
#    |         ~~~~~~~~~~
# 11 |             x
#    | ~~~~~~~~~~~~~
# 12 |         )
#    | ~~~~~~~~~
# 13 |         y = R.abs(e)
#    | ~~~~~~~~~~~~~~~~~~~~
# 14 |         z = R.add(y, x)
#    | ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0206]: `e` is read before it is bound
#   --> bound-below.py:19:19
#    |
# 19 |         y = R.abs(e)
#    |                   ^
# 20 |         e = R.exp(y)
#    |         - bound below, on line 20
#    |
#    = help: a name is known behind the statement that binds it
#
# error[E0206]: `e` is read before it is bound
#   --> bound-below.py:25:19
#    |
# 25 |         y = R.abs(e)
#    |                   ^
# 26 |         if c:
# 27 |             e = R.exp(x)
#    |             - bound below, on line 27
#    |
#    = help: a name is known behind the statement that binds it
#
# error[E0206]: `e` is read before it is bound
#   --> bound-below.py:34:19
#    |
# 34 |         y = R.abs(e)
#    |                   ^
# 35 |         e = R.exp(q)
#    |         - bound below, on line 35
#    |
#    = help: a name is known behind the statement that binds it
#
# error[E0201]: name `q` is not defined in TVMScript
#   --> bound-below.py:35:19
#    |
# 35 |         e = R.exp(q)
#    |                   ^
#    |
#    = help: a function knows its parameters, what it binds, and constants in front of the module (`q = 16`)
#
