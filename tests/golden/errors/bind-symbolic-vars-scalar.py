# FAIL: opt -p 'BindSymbolicVars(dims="n=4")'
# n is an argument of main: its value is the caller's.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(n: R.Prim("int64"), x: R.Tensor(("n",), "float32")):
        y = R.add(x, x)
        return y
# OUT:
# error[E0927]: `n` is a scalar parameter of `main` and cannot be bound
#   --> bind-symbolic-vars-scalar.py:10:9
#    |
# 10 |     def main(n: R.Prim("int64"), x: R.Tensor(("n",), "float32")):
#    |         ^^^^
#    |
#    = help: give the value when the function is called
#
