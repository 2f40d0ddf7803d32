# FAIL: opt -p 'BindSymbolicVars(dims="n=4")'
# With n = 4 the sum of x and y is wrong.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((3,), "float32")):
        z = R.add(x, y)
        return z
# OUT:
# error[E0603]: `R.add`: `x1` of shape (4,) and `x2` of shape (3,) do not broadcast
#   --> bind-symbolic-vars-contradiction.py:11:13
#    |
# 10 |     def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((3,), "float32")):
#    |              -                               - shape (3,)
#    |              |
#    |              shape (4,)
# 11 |         z = R.add(x, y)
#    |             ^^^^^^^^^^^
#    |
#    = note: from the last dimension on, each two must be equal, or one of them 1
#
# error[E0926]: the module does not work with the values of `n=4`
#  --> <passes>:1:1
#   |
# 1 | BindSymbolicVars(dims="n=4")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = note: the other messages are about the module with these values
#
