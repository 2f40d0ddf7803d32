# FAIL: check
# A branch binds nothing.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.add(x, x)
    else:
        pass
    return x
# OUT:
# error[E0561]: the second branch binds nothing
#   --> branch-empty.py:10:9
#    |
# 10 |         pass
#    |         ^^^^
#
