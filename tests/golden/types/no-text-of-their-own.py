# FAIL: check
# What stands for functions in the graph is written otherwise, and is no operator: R.function and R.call.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.function({"relax.inplace_arg": [0]})
        y = R.call(x, callee=1)
        z = R.calls(x)
        return R.function(y)
# OUT:
# error[E0650]: there is no operator `R.function`
#   --> no-text-of-their-own.py:11:9
#    |
# 11 |         R.function({"relax.inplace_arg": [0]})
#    |         ^^^^^^^^^^
#    |
# help: attributes of the function are set by `R.func_attr`
#    |
# 11 |         R.func_attr({"relax.inplace_arg": [0]})
#    |               ~~~~~
#
# error[E0650]: there is no operator `R.call`
#   --> no-text-of-their-own.py:12:13
#    |
# 12 |         y = R.call(x, callee=1)
#    |             ^^^^^^
#
# error[E0650]: there is no operator `R.calls`
#   --> no-text-of-their-own.py:13:13
#    |
# 13 |         z = R.calls(x)
#    |             ^^^^^^^
#
# error[E0650]: there is no operator `R.function`
#   --> no-text-of-their-own.py:14:16
#    |
# 14 |         return R.function(y)
#    |                ^^^^^^^^^^
#
