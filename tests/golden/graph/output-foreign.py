# FAIL: check
# R.output lists what the block does not bind.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        y = R.add(x, x)
        R.output(x, y)
    return y
# OUT:
# error[E0556]: `x` is not bound in this dataflow block
#  --> output-foreign.py:9:18
#   |
# 6 | def main(x: R.Tensor((2, 3), "float32")):
#   |          - bound here
# ...
# 9 |         R.output(x, y)
#   |                  ^
#   |
#   = help: what is bound before the block is visible after it anyway
#
