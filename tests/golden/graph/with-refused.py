# FAIL: check
# With is used for something else than a dataflow block.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.block():
        y = R.add(x, x)
    return y
# OUT:
# error[E0571]: `with` opens a dataflow block only
#  --> with-refused.py:7:10
#   |
# 7 |     with R.block():
#   |          ^^^^^^^^^
#
