# FAIL: check
# R.output outside of a dataflow block.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.add(x, x)
    R.output(y)
    return y
# OUT:
# error[E0554]: `R.output` stands outside of a dataflow block
#  --> output-outside.py:8:5
#   |
# 8 |     R.output(y)
#   |     ^^^^^^^^^^^
#   |
# help: outside of a dataflow block all names are visible: remove it
#   |
# 8 |     R.output(y)
#   | ---------------
#
