# FAIL: check
# Arguments by name: of functions of the module they have the names of the parameters, of others there are none.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    log = R.ExternFunc("my.log", R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True))

    @R.function(private=True)
    def add(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        z = R.add(x, y)
        return z

    @R.function
    def missing(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return Module.add(y=x)

    @R.function
    def twice(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return Module.add(x, x=x)

    @R.function
    def unknown(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return Module.add(x, other=x)

    @R.function
    def outside(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return Module.log(x=x)
# OUT:
# error[E0205]: argument `x` is missing
#   --> keywords.py:18:16
#    |
# 18 |         return Module.add(y=x)
#    |                ^^^^^^^^^^^^^^^
#
# error[E0203]: argument `x` is given twice
#   --> keywords.py:22:30
#    |
# 22 |         return Module.add(x, x=x)
#    |                           -  ^
#    |                           |
#    |                           first here
#
# error[E0202]: there is no argument `other` here
#   --> keywords.py:26:30
#    |
# 26 |         return Module.add(x, other=x)
#    |                              ^^^^^
#    |
# help: `y` is the one that is left
#    |
# 26 |         return Module.add(x, y=x)
#    |                              ~
#
# error[E0202]: there is no argument `x` here
#   --> keywords.py:30:27
#    |
# 30 |         return Module.log(x=x)
#    |                           ^
#    |
# help: the function says no names of its parameters: their places say which they are
#    |
# 30 |         return Module.log(x=x)
#    |                            --
#
