# FAIL: check
# Names of graphs that are bound below, beside a value that nothing reads, and symbols without a value.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def below(x: R.Tensor((8,), "float32")):
        y = R.multiply(e, x)
        e = R.exp(x)
        return y

    @R.function
    def target(x: R.Tensor((8,), "float32")):
        e = R.exp(x)
        ff = R.add(e, x)
        y = R.multiply(f, x)
        z = R.multiply(f, y)
        return z

    @R.function
    def other(x: R.Tensor((8,), "float32")):
        e = R.exp(x)
        y = R.multiply(total, x)
        return y

    @R.function
    def symbol(x: R.Tensor(("n", 8), "float32")):
        y = R.reshape(x, (m * 8,))
        return y

    @R.function
    def nothing(x: R.Tensor((8,), "float32")):
        y = R.add(x, scale)
        return y
# OUT:
# error[E0206]: `e` is read before it is bound
#   --> unbound.py:10:24
#    |
# 10 |         y = R.multiply(e, x)
#    |                        ^
# 11 |         e = R.exp(x)
#    |         - bound below, on line 11
#    |
#    = help: a name is known behind the statement that binds it
# help: move line 11 in front of it
#    |
# 10 |         e = R.exp(x)
#    |         ~~~~~~~~~~~~
# 11 |         y = R.multiply(e, x)
#    | ~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0201]: name `f` is not defined in TVMScript
#   --> unbound.py:18:24
#    |
# 17 |         ff = R.add(e, x)
#    |         -- nothing reads `ff`
# 18 |         y = R.multiply(f, x)
#    |                        ^
#    |
# help: there is `ff`, which nothing reads
#    |
# 17 |         ff = R.add(e, x)
#    |          -
#
# error[E0201]: name `total` is not defined in TVMScript
#   --> unbound.py:25:24
#    |
# 24 |         e = R.exp(x)
#    |         - nothing reads `e`
# 25 |         y = R.multiply(total, x)
#    |                        ^^^^^
#    |
# help: there is `e`, which nothing reads
#    |
# 25 |         y = R.multiply(e, x)
#    |                        ~
#
# error[E0201]: name `m` is not defined in TVMScript
#   --> unbound.py:30:27
#    |
# 30 |         y = R.reshape(x, (m * 8,))
#    |                           ^
#    |
#    = help: a symbol has its value from a dimension of a parameter, `R.Tensor(("m",), ..)`, or of an R.match_cast; a constant stands in front of the module: `m = 16`
#    = note: the symbols here are `n`
#
# error[E0201]: name `scale` is not defined in TVMScript
#   --> unbound.py:35:22
#    |
# 35 |         y = R.add(x, scale)
#    |                      ^^^^^
#    |
#    = help: a function knows its parameters, what it binds, and constants in front of the module (`scale = 16`)
#
