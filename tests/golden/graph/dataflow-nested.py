# FAIL: check
# A dataflow block stands in another one.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        with R.dataflow():
            y = R.add(x, x)
            R.output(y)
        R.output(y)
    return y
# OUT:
# error[E0567]: a dataflow block stands in another one
#  --> dataflow-nested.py:8:14
#   |
# 7 |     with R.dataflow():
#   |          ------------ the block around
# 8 |         with R.dataflow():
#   |              ^^^^^^^^^^^^
#
