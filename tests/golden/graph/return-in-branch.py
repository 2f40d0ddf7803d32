# FAIL: check
# Return in a branch.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    if c:
        return x
    else:
        y = R.add(x, x)
    return y
# OUT:
# error[E0564]: `return` stands in a branch
#  --> return-in-branch.py:8:9
#   |
# 8 |         return x
#   |         ^^^^^^^^
#   |
# help: the other branch binds `y`, and the function goes on with it
#   |
# 8 |         y = x
#   |         ~~~
#
