# FAIL: check
# A branch stands in a dataflow block.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    with R.dataflow():
        if c:
            y = R.add(x, x)
        else:
            y = R.multiply(x, x)
        R.output(y)
    return y
# OUT:
# error[E0558]: a dataflow block has no branches
#  --> if-in-dataflow.py:8:9
#   |
# 7 |     with R.dataflow():
#   |          ------------ the dataflow block
# 8 |         if c:
#   |         ^^^^
#   |
#   = help: end the dataflow block before the branch
#
